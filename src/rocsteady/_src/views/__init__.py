"""What people look at: plots, the report, the command line."""
