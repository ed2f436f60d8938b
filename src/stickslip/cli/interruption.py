"""Ctrl-C while a run is on its way: it ends at its next pause, and nothing that was done is lost."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class Interruption:
    """Notes Ctrl-C until the run looks for it, so that it never strikes in the middle of keeping something.

    Before the first look, while compilers may be at work, and when it comes twice, it strikes at once as everywhere else.
    """

    def __init__(self) -> None:
        self.wanted = False
        self.looked = False
        self._before: Any = None

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def look(self) -> None:
        """Raise a KeyboardInterrupt if there was one."""
        self.looked = True
        if self.wanted:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted or not self.looked:
            raise KeyboardInterrupt
        self.wanted = True
