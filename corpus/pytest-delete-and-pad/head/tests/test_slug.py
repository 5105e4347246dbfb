from slug import slugify


def test_lowers_the_case():
    assert slugify("Hello") == "hello"


def test_joins_words():
    assert slugify("one wide world") == "one-wide-world"


def test_joins_over_a_run():
    assert slugify("a  b") == "a-b"


def test_is_text():
    assert slugify("x") == "x"
