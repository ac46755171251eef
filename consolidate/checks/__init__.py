"""What must hold before a shadow may be swapped in, recomputed independently of the steps."""
