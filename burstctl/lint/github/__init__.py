"""GitHub Actions as GitHub reads it: env on three levels, expressions, matrices, actions, called workflows."""
