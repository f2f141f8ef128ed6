"""The command line: it reads files, calls the library and prints results; it computes nothing."""
