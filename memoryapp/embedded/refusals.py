class CannotStart(Exception):
    """The launcher cannot go on. The message is printed to the person as it is, without a traceback."""
