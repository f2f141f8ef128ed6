"""The page of a result below the cell of a notebook."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from rocsteady._src.results.base import Result

if TYPE_CHECKING:
    from rocsteady._src.results.displays import ReportOptions

HEIGHT = 820
STYLE = f"width:100%;height:{HEIGHT}px;border:1px solid #d5dae0;border-radius:10px"


@dataclass(frozen=True, slots=True, repr=False)
class ExploredPage:
    """A page that a notebook shows with its controls; what cannot show it has the table and a still picture.

    Plain HTML: a frame that holds the whole page, has no access to the notebook, and contacts nobody.
    """

    page: str
    still: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        frame = (
            f'<iframe srcdoc="{html.escape(self.page, quote=True)}" sandbox="allow-scripts allow-downloads" '
            f'title="rocsteady" style="{STYLE}"></iframe>'
        )
        return f"{frame}<details><summary>Without scripts</summary>{self.still}</details>"


class PagedResult(Result):
    """A result that has a page."""

    __slots__ = ()

    def explore(self, **options: Unpack[ReportOptions]) -> ExploredPage:
        """Show the page of this result below the cell: model, threshold, costs and prevalence can be changed there.

        Parameters
        ----------
        **options
            As those of ``report``.

        Returns
        -------
        ExploredPage
            A notebook shows it; elsewhere it is the text of the result.

        Examples
        --------
        >>> import rocsteady as rs
        >>> page = rs.evaluate([1, 0, 1, 0, 1, 0], {"a": [0.9, 0.4, 0.6, 0.5, 0.3, 0.1]}).explore(cost_fn=5)
        >>> "Your situation" in page.page
        True
        """
        from rocsteady._src.views.report.exploring import explored

        return explored(self, **options)
