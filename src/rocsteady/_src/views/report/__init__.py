"""The report: results become a plain document (build), and the document becomes one file (page)."""
