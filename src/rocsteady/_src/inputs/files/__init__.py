"""Score files: CSV, TSV, Parquet and JSON lines become named columns, in memory or where they are."""

from rocsteady._src.inputs.files.formats import FORMATS, ColumnAbsent, Columns, Wanted, format_of
from rocsteady._src.inputs.files.read import read_file, typed_label
from rocsteady._src.inputs.files.scan import ScannedFiles, estimate_rows, matching_files, scan_files

__all__ = [
    "FORMATS",
    "ColumnAbsent",
    "Columns",
    "ScannedFiles",
    "Wanted",
    "estimate_rows",
    "format_of",
    "matching_files",
    "read_file",
    "scan_files",
    "typed_label",
]
