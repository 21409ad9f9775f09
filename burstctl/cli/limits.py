"""Raises this process's soft limit of open files: a burst needs a descriptor for each request in flight."""

_ENOUGH = 65_536


def raise_file_limit() -> None:
    """Lift the soft limit as far as the hard one and good sense allow; where that is refused, the old one holds."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(_ENOUGH, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):
            return
