"""A client for Tabularium, a server for the Antike board games. Begin with `Client`."""

from . import types
from .client import Client, __version__
from .transport import Pages, ProblemError, StreamEvent

__all__ = ["Client", "Pages", "ProblemError", "StreamEvent", "__version__", "types"]
