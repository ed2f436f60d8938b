"""The command line. Each command is a file; what it needs is imported inside it, so that `stickslip --help` starts at once."""
