"""Films in files: frames are written as they come, aside, and the file appears when it is whole."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from stickslip.mechanism.arguments import FilePath, file_path
from stickslip.mechanism.errors import ArgumentError, MissingExtraError
from stickslip.simulate import StorageError
from stickslip.view import style

Pixels = NDArray[np.uint8]
"""(height, width, 4): red, green, blue and opacity of a frame."""

KINDS = (".gif", ".mp4")
FASTEST_GIF = 50.0  # frames a second: viewers take shorter pauses than 0.02 s for mistakes, and slow the film down
SLOWEST_GIF = 0.01  # frames a second: a pause is a number of 16 bits
TICK = 10  # ms: pauses of a GIF are multiples of it
END_OF_GIF = b";"
COARSE = 8  # steps of 256 by which Pillow may mistake a colour
SAME = 255  # the colour that leaves a pixel as it was in the frame before

FFMPEG = (
    "an .mp4 file is written by the program ffmpeg, which is not on the PATH; install it (apt install ffmpeg, brew install "
    "ffmpeg, winget install ffmpeg), or give the path of a .gif file."
)


class Film(Protocol):
    """What takes frames."""

    def add(self, pixels: Pixels) -> None: ...


def checked_film_path(path: FilePath, fps: float) -> Path:
    """The path of a film that can be written there at that rate of frames, in 1/s, or a sentence that says why not."""
    target = file_path(path, "the path of an animation")
    kind = target.suffix.lower()
    if kind not in KINDS:
        raise ArgumentError(f"the path of an animation must end in {' or '.join(KINDS)}, not {str(target)!r}.")
    if kind == ".gif" and not SLOWEST_GIF <= fps <= FASTEST_GIF:
        raise ArgumentError(f"a .gif file shows from {SLOWEST_GIF:g} to {FASTEST_GIF:g} frames a second, not {fps:g}.")
    if kind == ".mp4" and shutil.which("ffmpeg") is None:
        raise MissingExtraError(FFMPEG)
    target = Path(os.path.realpath(target))
    if target.exists() and not target.is_file():
        raise StorageError(f"{target} is not a regular file, and is not replaced by an animation.")
    if not target.parent.is_dir():
        raise StorageError(f"there is no directory {target.parent} for the animation {target.name}.")
    return target


@contextmanager
def film_at(target: Path, fps: float, palette_from: list[Pixels]) -> Iterator[Film]:
    """A film that is at `target` when the block ends well, and nowhere if it does not; an older file stays until then.

    A GIF takes its colours from some frames that are like those to come.
    """
    aside = target.with_name(f".{secrets.token_hex(8)}.part{target.suffix.lower()}")
    try:
        with _Gif(aside, fps, palette_from) if aside.suffix == ".gif" else _Mp4(aside, fps) as film:
            yield film
        os.replace(aside, target)
    except OSError as error:
        if isinstance(error, (StorageError, MissingExtraError)):
            raise
        raise StorageError(f"the animation cannot be written to {target}: {error.strerror or error}.") from None
    finally:
        aside.unlink(missing_ok=True)


class _Gif:
    """Frames of at most 255 colours; of each but the first only what has changed since the one before."""

    def __init__(self, path: Path, fps: float, palette_from: list[Pixels]) -> None:
        self.fps, self.count = fps, 0
        self.last: NDArray[np.uint8] | None = None
        self.palette = _palette(palette_from)
        self.file = open(path, "xb")  # noqa: SIM115  # closed by __exit__

    def add(self, pixels: Pixels) -> None:
        """Write a frame, which is shown until the time of the next one."""
        from PIL import GifImagePlugin, Image

        frame = Image.fromarray(pixels[:, :, :3].copy()).quantize(palette=self.palette, dither=Image.Dither.NONE)
        colours = np.asarray(frame)
        if self.last is None:
            written, corner = frame, (0, 0)
            for block in GifImagePlugin.getheader(frame.copy(), info={"loop": 0})[0]:
                self.file.write(block)
        else:
            left, upper, right, lower = _box_of(colours != self.last)
            part = np.s_[upper:lower, left:right]
            written = Image.fromarray(np.where(colours[part] == self.last[part], SAME, colours[part]).astype(np.uint8), "P")
            written.putpalette(frame.getpalette() or [])
            corner = left, upper
        for block in GifImagePlugin.getdata(written, corner, duration=self._pause(), transparency=SAME):
            self.file.write(block)
        self.last = colours
        self.count += 1

    def _pause(self) -> int:
        """How long this frame is shown, in ms: multiples of 10 that add up to the right time."""
        began, ends = (round(1000 * k / (self.fps * TICK)) for k in (self.count, self.count + 1))
        return TICK * (ends - began)

    def __enter__(self) -> _Gif:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        with self.file:
            if kind is None:
                self.file.write(END_OF_GIF)
                self.file.flush()
                os.fsync(self.file.fileno())


def _palette(frames: list[Pixels]) -> Any:
    """An image whose palette has the colours of the style as they are, and otherwise those of the frames.

    Pillow looks colours up in coarse steps: others must keep their distance from the style's.
    """
    from PIL import Image

    own = np.round(255 * np.array([to_rgb(colour) for colour in style.ALL])).astype(int)
    sheet = Image.fromarray(np.concatenate(frames)[:, :, :3].copy())
    found = sheet.quantize(SAME - len(own), method=Image.Quantize.MEDIANCUT).getpalette() or []
    others = np.reshape(found, (-1, 3)).astype(int)
    apart = np.abs(others[:, None] - own).max(axis=2).min(axis=1) > COARSE
    image = Image.new("P", (1, 1))
    image.putpalette(np.concatenate([own, others[apart]])[:SAME].ravel().tolist())
    return image


def _box_of(changed: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """(left, upper, right, lower) around all that is true; one pixel where nothing is, since a frame cannot be empty."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


class _Mp4:
    """Frames through a pipe to ffmpeg."""

    def __init__(self, path: Path, fps: float) -> None:
        self.path, self.fps = path, fps
        self.process: subprocess.Popen[bytes] | None = None
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115  # closed by __exit__

    def add(self, pixels: Pixels) -> None:
        """Hand a frame over."""
        process = self.process or self._started(pixels.shape[1], pixels.shape[0])
        assert process.stdin is not None  # opened as a pipe
        try:
            process.stdin.write(pixels.tobytes())
        except BrokenPipeError:
            raise self._failure(process.wait()) from None

    def _started(self, width: int, height: int) -> subprocess.Popen[bytes]:
        given = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{width}x{height}", "-r", f"{self.fps:g}", "-i", "-"]
        wanted = ["-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        command = ["ffmpeg", "-y", "-loglevel", "error", *given, *wanted, str(self.path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.complaints)
        return self.process

    def _failure(self, code: int) -> StorageError:
        self.complaints.seek(0)
        lines = self.complaints.read().decode(errors="replace").strip().splitlines() or [f"it ended with code {code}"]
        return StorageError(f"ffmpeg could not write the animation: {lines[-1][:200].rstrip('.')}.")

    def __enter__(self) -> _Mp4:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        with self.complaints:
            if self.process is None:
                return
            if kind is not None:
                self.process.kill()
            if self.process.stdin is not None:
                with suppress(BrokenPipeError):  # its code says so
                    self.process.stdin.close()
            code = self.process.wait()
            if kind is None and code:
                raise self._failure(code)
