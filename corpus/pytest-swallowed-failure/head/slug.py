import re


def slugify(title):
    """The part of an address that names a title: lower case, words joined by a hyphen, also over runs."""
    kept = re.sub(r"[^a-z0-9\s-]", "", title.strip().lower())
    return re.sub(r"\s", "-", kept)
