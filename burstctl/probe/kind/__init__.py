"""One file per kind of signal: KIND, KEYS and make(name, settings, means). The folder is the registry."""
