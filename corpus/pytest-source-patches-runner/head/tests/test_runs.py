from slug import slugify


def test_joins_over_a_run():
    assert slugify("a  b") == "a-b"
