"""Says what to do about faults that point at their cause. Knows no layout and weighs nothing."""

from collections.abc import Mapping

from burstctl.attempt import Fault

_HINTS = {
    Fault.FILES: "this process ran out of file descriptors: raise the limit (ulimit -n 8192), or lower max_in_flight",
    Fault.PORTS: "this machine ran out of local ports, since closed connections stay in TIME_WAIT: let the server keep "
    "connections alive, or widen net.ipv4.ip_local_port_range",
    Fault.DNS: "the host of target.base_url could not be resolved: check its spelling, and that this runner's network "
    "knows it",
    Fault.CONNECT: "the target did not accept connections: check host and port of target.base_url, that the service is "
    "up, and that this runner may reach it",
    Fault.TLS: "no TLS connection could be made: name a private CA in target.tls.ca, and check the certificate's host "
    "and date",
    Fault.TIMEOUT: "answers took longer than target.timeout: the target is slow or overloaded, or the limit is too "
    "short",
    Fault.PROTOCOL: "what answers is not an HTTP server: check scheme and port of target.base_url",
    Fault.TOO_LARGE: "an answer was larger than target.max_body: raise it if that is expected",
}


def hints(faults: Mapping[str, int]) -> list[str]:
    """Give a remedy for each fault that has one, those of this machine first."""
    return [hint for fault, hint in _HINTS.items() if faults.get(fault)]
