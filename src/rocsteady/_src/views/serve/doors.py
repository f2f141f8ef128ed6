"""Who may come in: requests to this server's own address, from its own page, with the token of this run."""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from email.message import Message

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 24
# The app's own page: its script, its style, its pages in frames; nothing else, from nowhere else, in nobody's frame.
APP_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A report brings its own policy, which allows its script by hash; in a sandbox it has no origin, and no token to use.
PAGE_POLICY = "sandbox allow-scripts allow-downloads; frame-ancestors 'self'; connect-src 'none'; form-action 'none'"
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Refusal(Exception):  # noqa: N818 - an answer, not a fault
    """A request is answered with this status and sentence."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


class Door(NamedTuple):
    """The address of one run."""

    port: int
    token: str

    @classmethod
    def made(cls, port: int) -> Door:
        """With a token that nobody can guess."""
        return cls(port, secrets.token_urlsafe(TOKEN_BYTES))

    @property
    def address(self) -> str:
        """What a browser opens."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def admit(self, method: str, path: str, headers: Message) -> str:
        """The path behind the token, for a request that may come in; others are refused.

        The host is checked against names that are made to lead here (rebinding), the origin and the browser's own word
        (Sec-Fetch-Site) against other pages, the token against other people of this machine.
        """
        hosts = {f"{name}:{self.port}" for name in (LOOPBACK, "localhost")}
        host = headers.get_all("Host") or []
        if len(host) != 1 or host[0] not in hosts:
            raise Refusal(403, "this server answers to its own address only; open the one that the terminal shows")
        origin = headers.get("Origin")
        if origin is not None and origin != f"http://{host[0]}":
            raise Refusal(403, "requests of other pages are not answered")
        if method != "GET" and origin is None:
            raise Refusal(403, "a request that changes something says which page it comes from")
        followed = headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest") == "document"
        if headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin") and not followed:
            raise Refusal(403, "requests of other pages are not answered")  # a link that was followed is
        token, _, rest = path.split("?", 1)[0].removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            raise Refusal(403, "open the address that the terminal shows, with all its letters")
        return rest
