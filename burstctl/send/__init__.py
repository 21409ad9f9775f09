"""One request onto the wire and its answer back. The only package that knows httpx."""
