"""What people do with tenants before and after a run."""
