"""Writes an HTTP status with its phrase. Knows no format."""

from http import HTTPStatus


def phrase(status: int) -> str:
    """Write a status as `503 Service Unavailable`, or as its number alone where it has no phrase."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
