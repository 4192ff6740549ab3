"""What tells the columns of tables besides the white between them."""
