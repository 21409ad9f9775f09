"""What several formats say in the same words, as plain text. Knows no format."""
