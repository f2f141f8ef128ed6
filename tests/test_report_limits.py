"""The report and a notebook's table under a limit of address space, where V8 cannot start."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rocsteady as rs
from rocsteady._src.views.report import page

ASSETS = Path(page.__file__).parent / "assets"
TABLE = {"y": [1, 0, 1, 0, 1, 0, 1, 0], "a": [0.9, 0.2, 0.7, 0.4, 0.6, 0.5, 0.3, 0.1]}
LIMITED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
import rocsteady as rs
found = rs.evaluate({TABLE}, label="y", scores="a")
found.report(sys.argv[1])
print(found._repr_html_())
assert "vl_convert" not in sys.modules
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space")
def test_under_a_limit_the_page_is_written_and_a_picture_is_missed_in_a_sentence(tmp_path: Path) -> None:
    call = [sys.executable, "-W", "ignore", "-c", LIMITED, str(tmp_path / "r.html")]
    ended = subprocess.run(call, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "<table>" in ended.stdout
    assert "the picture was not drawn" in ended.stdout
    assert "ulimit -v" in ended.stdout
    assert "vega" in (tmp_path / "r.html").read_text()


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_without_a_limit_there_is_a_picture() -> None:
    found = rs.evaluate(TABLE, label="y", scores="a")
    assert "<svg" in found._repr_html_()


def test_the_script_is_the_one_whose_licences_are_listed() -> None:
    script = (ASSETS / "vega.js").read_bytes()
    told = (ASSETS / "vega.LICENSES.md").read_text()
    assert re.search("SHA-256: `([0-9a-f]{64})`", told)[1] == hashlib.sha256(script).hexdigest()
    assert b"</script" not in script
    assert "University of Washington Interactive Data Lab" in told
