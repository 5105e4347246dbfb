from slug import slugify


def test_lowers_the_case():
    assert slugify("Hello") == "hello"


def test_joins_words():
    assert slugify("one wide world") == "one-wide-world"


def test_drops_punctuation():
    assert slugify("What, now?") == "what-now"


def test_joins_over_a_run():
    assert slugify("a  b") == "a-b"
