"""Terraform modules: their text, their values, the fleet that they declare. Runs no Terraform and loads no provider."""
