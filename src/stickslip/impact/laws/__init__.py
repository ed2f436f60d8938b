"""Impact laws, one a file."""
