"""What one night decides about facts: expire, merge, supersede, promote, and steps the operator adds."""
