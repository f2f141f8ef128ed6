"""The site: a copy of docs/ that is completed by what is generated, built by Sphinx, and checked.

``python -m tools.site`` makes all of it, in build/site/html; ``python -m tools.site check`` looks for dead links,
and for what is fetched from elsewhere, in a site that was built.
"""
