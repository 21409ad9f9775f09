"""CI dialects: each module but the registry is one, with NAME, `detect` and `read`."""
