"""Names a bug by its kind and place, without its text: that may hold what must not be shown."""

from pathlib import Path


def place_of(error: BaseException) -> str:
    """Say what kind of exception it is and where it was raised; of a group, its first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    traceback, place = error.__traceback__, "unknown place"
    while traceback is not None:
        code = traceback.tb_frame.f_code
        place = f"{Path(code.co_filename).name}:{traceback.tb_lineno} in {code.co_name}"
        traceback = traceback.tb_next
    return f"{type(error).__name__} at {place}"
