"""Write the script of the report's charts, Vega with Vega-Lite and Vega-Embed, as vl-convert bundles it.

``python tools/bundle_vega.py`` in an environment with the newest vl-convert-python; then run the tests, look at a
report, and bring ``vega.LICENSES.md`` up to date: the test of the assets compares the hash that stands there.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import vl_convert

TARGET = Path(__file__).parent.parent / "src" / "rocsteady" / "_src" / "views" / "report" / "assets" / "vega.js"

if __name__ == "__main__":
    script = vl_convert.javascript_bundle().replace("</script", "<\\/script").encode()
    TARGET.write_bytes(script)
    print(f"vl-convert {vl_convert.__version__}, Vega {vl_convert.get_vega_version()}")
    print(f"Vega-Embed {vl_convert.get_vega_embed_version()}, Vega-Lite {vl_convert.get_vegalite_versions()[-1]}")
    print(f"{len(script):,} bytes, SHA-256 {hashlib.sha256(script).hexdigest()}")
