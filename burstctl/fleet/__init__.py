"""A simulated inference fleet: a pure queueing model and a loopback server over it."""
