"""Pages of paper: words, tables and pictures one below the other, set with matplotlib's own fonts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import require

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 46.0  # A4 in points
ROOM = WIDTH - 2 * MARGIN
LEADING = 1.38
SIZES = (7.5, 6.5, 5.8)  # of a table, the largest that fits
MOST_NAMED = (130.0, 60.0)  # points of a word in the first column, and in a header, that is not broken
GAP = 9.0  # between columns
SHORT = 9  # letters of a cell that is not broken
NUMBERS = set("0123456789+-<>")
RULE, GREY = "0.8", "0.35"
FONTS: Any = {"font.family": "DejaVu Sans", "pdf.fonttype": 42}  # with it, words can be searched and copied


@lru_cache(maxsize=20_000)
def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal", size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]) if text.strip() else 0.0


def broken(text: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """Lines that fit; a word that does not fit by itself is broken where it must be.

    Examples
    --------
    >>> broken("one two", 1000.0, 9.0)
    ['one two']
    >>> broken("one two", 30.0, 9.0)
    ['one', 'two']
    """
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if width_of(longer, size, bold=bold) <= room:
            line = longer
            continue
        lines += [line] if line else []
        *whole, line = _pieces(word, room, size, bold)
        lines += whole
    return [*lines, line]


def _pieces(word: str, room: float, size: float, bold: bool) -> list[str]:
    pieces, piece = [], ""
    for letter in word:
        if piece and width_of(piece + letter, size, bold=bold) > room:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]


class Pages:
    """Pages that fill up from the top; what does not fit goes on to the next."""

    def __init__(self, foot: str) -> None:
        require("matplotlib", extra="plots", purpose="a report as PDF")
        self.foot = foot
        self.figures: list[Any] = []
        self._y = 0.0

    def _open(self) -> None:
        from matplotlib.figure import Figure

        self.figures.append(Figure(figsize=(WIDTH / 72, HEIGHT / 72)))
        self._y = HEIGHT - MARGIN

    def keep(self, height: float) -> bool:
        """Go on to a new page where less than this is left; tell whether it is one."""
        if self.figures and self._y - height >= MARGIN:
            return False
        self._open()
        return True

    def _put(self, x: float, text: str, size: float, *, bold: bool = False, colour: str = "black") -> None:
        figure = self.figures[-1]
        style: dict[str, Any] = {"fontsize": size, "fontweight": "bold" if bold else "normal", "color": colour}
        figure.text(x / WIDTH, self._y / HEIGHT, text, va="baseline", parse_math=False, **style)

    def space(self, height: float) -> None:
        """Leave some room."""
        self._y -= height

    def words(
        self, text: str, *, size: float = 9, bold: bool = False, colour: str = "black", mark: str = "", after: float = 3
    ) -> None:
        """A paragraph; its ``mark`` stands before it."""
        indent = 11.0 if mark else 0.0
        for place, line in enumerate(broken(text, ROOM - indent, size, bold=bold)):
            self.keep(size * LEADING)
            self.space(size * LEADING)
            if mark and not place:
                self._put(MARGIN, mark, size)
            self._put(MARGIN + indent, line, size, bold=bold, colour=colour)
        self.space(after)

    def heading(self, text: str, size: float = 12) -> None:
        """A title, which stays with what follows."""
        self.keep(size * LEADING + 60)
        self.space(6)
        self.words(text, size=size, bold=True, after=2)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table as wide as it must be; its header stands on every page that it goes on to.

        One with more columns than a page has room for comes in parts, each with the first column: no number is broken.
        """
        for part in _parts([header, *rows]):
            self._whole([header[place] for place in part], [[row[place] for place in part] for row in rows])

    def _whole(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        size, widths = _fitted([header, *rows])
        numeric = _numeric(rows)
        top = _cells(header, widths, size, bold=True)
        self.keep(3 * size * LEADING * max(map(len, top)))
        self._row(top, widths, size, numeric, bold=True)
        for row in rows:
            cells = _cells(row, widths, size)
            if self.keep(size * LEADING * max(map(len, cells)) + 3):
                self._row(top, widths, size, numeric, bold=True)
            self._row(cells, widths, size, numeric)
        self.space(8)

    def _row(
        self, cells: list[list[str]], widths: list[float], size: float, numeric: set[int], *, bold: bool = False
    ) -> None:
        from matplotlib.lines import Line2D

        for place in range(max(map(len, cells))):
            self.space(size * LEADING)
            x = MARGIN
            for column, (lines, width) in enumerate(zip(cells, widths, strict=True)):
                if place < len(lines):
                    left = width - width_of(lines[place], size, bold=bold) if column in numeric else 0.0
                    self._put(x + left, lines[place], size, bold=bold)
                x += width + GAP
        self.space(3)
        ends, y = (MARGIN / WIDTH, (MARGIN + sum(widths) + GAP * (len(widths) - 1)) / WIDTH), self._y / HEIGHT
        figure = self.figures[-1]
        figure.add_artist(Line2D(ends, (y, y), color="0.3" if bold else RULE, linewidth=0.6))

    def picture(self, figure: Any) -> None:
        """A page with a picture of its own size."""
        self.figures.append(figure)
        self._y = 0.0

    def save(self, path: Any, metadata: dict[str, str]) -> None:
        """Write all pages into one file, each with its number."""
        import matplotlib as mpl
        from matplotlib.backends.backend_pdf import PdfPages

        with mpl.rc_context(FONTS), PdfPages(path, metadata=metadata) as out:
            for place, figure in enumerate(self.figures):
                if figure.get_size_inches()[0] * 72 == WIDTH:
                    told = f"{self.foot}  {place + 1} / {len(self.figures)}"
                    figure.text(MARGIN / WIDTH, 24 / HEIGHT, told, fontsize=7, color=GREY, parse_math=False)
                out.savefig(figure)


def _fitted(lines: Sequence[Sequence[str]]) -> tuple[float, list[float]]:
    """The largest size at which a table fits, and how wide its columns are; cells of the widest are broken."""
    size = SIZES[-1]
    for size in SIZES:
        natural, least = _widths(lines, size)
        room = ROOM - GAP * (len(natural) - 1)
        if sum(least) <= room:
            break
    if sum(natural) <= room:
        return size, natural
    if sum(least) > room:  # a word that is longer than a line
        return size, [room * each / sum(least) for each in least]
    spare = (room - sum(least)) / (sum(natural) - sum(least))
    return size, [low + spare * (high - low) for low, high in zip(least, natural, strict=True)]


def _parts(lines: Sequence[Sequence[str]]) -> list[list[int]]:
    """Which columns stand side by side, the first of all in every part."""
    _, least = _widths(lines, SIZES[-1])
    parts: list[list[int]] = [[0]]
    for place in range(1, len(least)):
        taken = sum(least[each] + GAP for each in parts[-1]) + least[place]
        if taken > ROOM and len(parts[-1]) > 1:
            parts.append([0])
        parts[-1].append(place)
    return parts


def _numeric(rows: Sequence[Sequence[str]]) -> set[int]:
    """Columns of numbers, which stand below one another from the right; the first one names the rows."""
    columns = list(zip(*rows, strict=True))
    are = [sum(cell[:1] in NUMBERS for cell in column) for column in columns]
    return {place for place, found in enumerate(are) if place and 2 * found >= len(rows)}


def _widths(lines: Sequence[Sequence[str]], size: float) -> tuple[list[float], list[float]]:
    """Of every column: what its longest cell takes, and its longest word."""
    natural: list[float] = []
    least: list[float] = []
    for cells in zip(*lines, strict=True):
        both = [(each, place == 0) for place, each in enumerate(cells)]
        natural.append(max(width_of(each, size, bold=bold) for each, bold in both) + 0.5)
        words = [(word, bold) for each, bold in both for word in ([each] if len(each) < SHORT else each.split())]
        first = not least
        needs = [
            min(width_of(word, size, bold=bold), MOST_NAMED[bold] if first or bold else ROOM) for word, bold in words
        ]
        least.append(max(needs, default=0.0) + 0.5)
    return natural, least


def _cells(row: Sequence[str], widths: list[float], size: float, *, bold: bool = False) -> list[list[str]]:
    return [broken(each, width, size, bold=bold) for each, width in zip(row, widths, strict=True)]
