"""Scripts of the gallery draw when they are imported, and conf.py is for Sphinx: neither is a test."""

collect_ignore_glob = ["gallery/*.py", "conf.py"]
