"""HTTP/1.1 to one origin at little cost: an httpx transport over asyncio's protocols and httptools."""
