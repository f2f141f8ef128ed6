"""What results of the laboratory share: a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.results.base import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path


class LabResult(Result):
    """A result that has a page."""

    __slots__ = ()

    def report(
        self,
        path: str | PathLike[str],
        *,
        also: Sequence[LabResult] = (),
        title: str | None = None,
        command: str = "",
        force: bool = False,
    ) -> Path:
        """Write a page, one file that needs nothing else: .html, or its words and numbers as .md or .json.

        Parameters
        ----------
        path : path
            Its ending says the form. A page of the same results is replaced, other files are not.
        also : list of results of the laboratory
            What else the page shows: errors, values of sets, errors in the order of sets, sweeps, difference functions.
        title : str, optional
            Heading of the page.
        command : str
            The line that makes the page again, if it shall stand there.
        force : bool
            Replace whatever file is there.

        Returns
        -------
        Path

        Examples
        --------
        >>> import rocsteady as rs, tempfile, pathlib
        >>> sets = rs.lab.generate("1.0p 0.9p 0.8p 0.2n 0.1n 0.0n", range_steps=5, distribution=True)
        >>> found = rs.lab.count_errors(sets, ["auc", "mm7_auc"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = found.report(pathlib.Path(folder, "lab.md"), also=[rs.lab.sweep(sets, "mm7_auc", n=[0, 0.25])])
        ...     print(page.read_text(encoding="utf-8").splitlines()[2])
        **Fewest errors: mm7_auc, 0 of 25 correctly ranked sets (0.0%)**
        """
        from rocsteady._src.views.report.laboratory import write_laboratory

        return write_laboratory([self, *also], path, title=title, command=command, force=force)
