"""Sums over all pairs of two smooth functions of the distance of two numbers: O(n log n), to 13 digits.

The line is cut into cells. Within a pair of cells a function is a polynomial of both places (Chebyshev), so that a row
meets the moments of a cell in place of its rows; what all cells add to one is a convolution of their moments. Both
functions are odd when continued to negative distances, so that within a cell a row needs the moments of the rows up to
it, and no more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]
    Spectra = NDArray[np.complex128]

FEW, PAIRS_OF_CELL = 256, 64  # rows whose pairs are all looked at; and pairs that cost no more than a cell
FAR = 40.0  # where the first function has reached one half and the second is nothing, to 17 digits
WIDEST, FINEST, ROWS_OF_CELL = 0.5, 4096, 128
MOST_CELLS = 1 << 14  # cells whose moments meet at once
LEAST_ERROR = 1e-15  # that polynomials leave, of the whole sum
BLOCK = 1 << 12  # rows whose polynomials stay in the cache


def pair_sums(x: Array, held: Array | None = None) -> Array:
    """For each of the increasing numbers ``x`` two sums over all others, of functions of the distance d, by ``held``.

    The first is the share 1 / (1 + exp(-d)) less one half; the second its derivative, times d.

    Examples
    --------
    >>> pair_sums(np.array([0.0, 1.0, 3.0])).round(6).tolist()
    [[0.683633, 0.611856, 0.833371], [0.332142, 0.406599, 0.345517]]
    """
    if x.size <= FEW:
        return _of_all_pairs(x, held)
    first = np.append(0, np.flatnonzero(np.diff(x) > FAR) + 1) if x[-1] - x[0] > FAR else np.zeros(1, np.int64)
    lengths = x[np.append(first[1:], x.size) - 1] - x[first]
    whole = float(lengths.sum())
    if not whole > 0 and first.size == 1:
        return np.zeros((2, x.size))
    cells = min(max(x.size // ROWS_OF_CELL, 64), FINEST)
    if x.size**2 <= PAIRS_OF_CELL * whole / WIDEST:
        return _of_all_pairs(x, held)
    grid = Grid.of(min(whole / cells, WIDEST) or WIDEST, min(whole, 1.0) or 1.0)
    number, place = _places(x, first, lengths, grid.width)
    return _of_cells(grid, number, place, held)


def functions(d: Array) -> Array:
    """Both, continued as odd functions."""
    half = np.tanh(d / 2) / 2
    return np.array([half, d * (0.25 - half * half)])


def _of_all_pairs(x: Array, held: Array | None) -> Array:
    found = np.empty((2, x.size))
    size = max(BLOCK // x.size, 1)
    for start in range(0, x.size, size):
        rows = slice(start, start + size)
        values = functions(np.abs(x[rows, None] - x[None, :]))
        found[:, rows] = values.sum(axis=2) if held is None else (values * held).sum(axis=2)
    return found


def _places(x: Array, first: Whole, lengths: Array, width: float) -> tuple[Whole, Array]:
    """The cell of each number and its place in it, from -1 to 1; gaps in which all is far count so many cells."""
    away = (lengths / width).astype(np.int64) + 1 + math.ceil(FAR / width)
    before = away.cumsum() - away
    number, place = np.empty(x.size, dtype=np.int64), np.empty(x.size)
    for rows in _blocks(x.size):
        part = np.searchsorted(first, np.arange(rows.start, rows.stop), side="right") - 1 if first.size > 1 else 0
        at = (x[rows] - x[first[part]]) / width
        whole = at.astype(np.int64)
        place[rows] = 2 * (at - whole) - 1
        number[rows] = whole + before[part]
    return number, place


def _of_cells(grid: Grid, number: Whole, place: Array, held: Array | None) -> Array:
    """Cells meet all at once, or some of them with those near; what is farther adds one half."""
    n_cells, reach = int(number[-1]) + 1, math.ceil(FAR / grid.width) + 1
    if n_cells <= MOST_CELLS:
        return grid.sums(number, place, held, grid.spectra(n_cells))
    spectra, found = grid.spectra(MOST_CELLS + 2 * reach), np.empty((2, number.size))
    weight = np.arange(number.size + 1.0) if held is None else np.append(0.0, held.cumsum())
    start = 0
    while start < number.size:
        low = int(number[start])
        stop, first, last = np.searchsorted(number, [low + MOST_CELLS, low - reach, low + MOST_CELLS + reach])
        near = slice(first, last)
        sums = grid.sums(number[near] - number[first], place[near], None if held is None else held[near], spectra)
        found[:, start:stop] = sums[:, start - first : stop - first]
        found[0, start:stop] += (weight[-1] - (weight[last] - weight[first])) / 2
        start = int(stop)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cells of a width, with polynomials of as many terms as the error asks for."""

    width: float
    terms: int

    @classmethod
    def of(cls, width: float, scale: float) -> Grid:
        """The functions are smooth as far as 2.5 from the real line, where they are below 2 and 7."""
        faster = (2.5 + math.hypot(2.5, width / 2)) / (width / 2)
        return cls(width, max(3, math.ceil(math.log(28 / (LEAST_ERROR * scale)) / math.log(faster))))

    def sums(self, number: Whole, place: Array, held: Array | None, spectra: Spectra) -> Array:
        """Both sums of each row of a run of cells."""
        n_cells = int(number[-1]) + 1
        moments = self._moments(number, place, held, n_cells)
        size = 2 * (spectra.shape[-1] - 1)
        by_cell = np.fft.irfft(np.einsum("kabf,bf->kaf", spectra, np.fft.rfft(moments, size)), size)[..., :n_cells]
        near = -2 * self._coefficients(np.zeros(1))[:, 0]
        before = moments.cumsum(axis=1) - moments
        by_cell -= near @ before
        found, carried = np.empty((2, number.size)), np.zeros((self.terms, 1))
        near, by_cell = near.reshape(-1, self.terms), by_cell.reshape(-1, n_cells)
        for rows in _blocks(number.size):
            powers = self._powers(place[rows])
            walked = np.cumsum(powers if held is None else powers * held[rows], axis=1)
            walked += carried
            carried = walked[:, -1:].copy()
            line = near @ walked
            line += by_cell.take(number[rows], axis=1)
            products = line.reshape(2, self.terms, -1)
            products *= powers
            products.sum(axis=1, out=found[:, rows])
        return found

    def spectra(self, n_cells: int) -> Spectra:
        """Of what cells at each offset add to one, for the convolution over cells."""
        offsets = self._coefficients(np.arange(n_cells)).transpose(0, 2, 3, 1)
        size = 2 * n_cells
        line = np.zeros((2, self.terms, self.terms, size))
        line[..., :n_cells] = offsets.swapaxes(1, 2)
        line[..., size - n_cells + 1 :] = offsets[..., :0:-1]
        line[..., 0] = offsets[..., 0]
        found: Spectra = np.fft.rfft(line)
        return found

    def _moments(self, number: Whole, place: Array, held: Array | None, n_cells: int) -> Array:
        found = np.zeros((self.terms, n_cells))
        for rows in _blocks(number.size):
            powers, cells = self._powers(place[rows]), number[rows]
            if held is not None:
                powers *= held[rows]
            starts = np.append(0, np.flatnonzero(cells[1:] != cells[:-1]) + 1)
            found[:, cells[starts]] += np.add.reduceat(powers, starts, axis=1)
        return found

    def _powers(self, place: Array) -> Array:
        """Chebyshev polynomials of places in [-1, 1]."""
        found = np.empty((self.terms, place.size))
        found[0], found[1] = 1.0, place
        twice = 2 * place
        for k in range(2, self.terms):
            np.multiply(twice, found[k - 1], out=found[k])
            found[k] -= found[k - 2]
        return found

    def _coefficients(self, offsets: NDArray[Any]) -> Array:
        """Of both functions between a place in a cell and one so many cells after it: by function, offset and both."""
        nodes = np.cos((np.arange(self.terms) + 0.5) * np.pi / self.terms)
        apart = self.width * (offsets[:, None, None] + (nodes[None, None, :] - nodes[None, :, None]) / 2)
        basis = self._powers(nodes) * (2 / self.terms)
        basis[0] /= 2
        found: Array = basis @ functions(apart) @ basis.T
        return found


def _blocks(size: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))
