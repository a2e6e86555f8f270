"""Token buckets: one bound at once, another in the long run, and each address has its own."""

from hypothesis import given
from hypothesis import strategies as st

from server.limits import Bucket, BucketPerKey

SECOND = 1_000_000


def taken(bucket: Bucket, times: int, now: int) -> int:
    return sum(bucket.take(now) for _ in range(times))


def test_a_burst_is_allowed_at_once_and_no_more() -> None:
    bucket = Bucket(rate=10, burst=20)

    assert taken(bucket, 50, now=0) == 20


def test_an_empty_bucket_fills_at_its_rate() -> None:
    bucket = Bucket(rate=10, burst=20)
    taken(bucket, 20, now=0)

    assert taken(bucket, 50, now=SECOND) == 10
    assert taken(bucket, 50, now=SECOND + 50_000) == 0  # half a token
    assert taken(bucket, 50, now=SECOND + 100_000) == 1


def test_a_long_rest_earns_no_more_than_a_burst() -> None:
    bucket = Bucket(rate=10, burst=20)
    taken(bucket, 20, now=0)

    assert taken(bucket, 50, now=3600 * SECOND) == 20


def test_a_refusal_costs_nothing() -> None:
    bucket = Bucket(rate=1, burst=1)
    taken(bucket, 100, now=0)

    assert bucket.take(SECOND)


def test_asking_whether_there_is_a_token_takes_none() -> None:
    bucket = Bucket(rate=1, burst=1)

    assert bucket.has(0)
    assert bucket.take(0)
    assert not bucket.has(0)


def test_a_token_is_there_again_as_soon_as_it_has_come_and_no_sooner() -> None:
    bucket = Bucket(rate=1, burst=1)
    bucket.take(0)

    assert not bucket.has(SECOND - 1)
    assert bucket.has(SECOND)


def test_a_bucket_without_a_rate_never_fills_again() -> None:
    bucket = Bucket(rate=0, burst=1)

    assert bucket.take(0)
    assert not bucket.take(10**15)


@given(
    steps=st.lists(st.integers(0, 2 * SECOND), max_size=60),
    rate=st.integers(1, 20),
    burst=st.integers(1, 20),
)
def test_no_stretch_of_time_gives_more_than_a_burst_and_the_rate(
    steps: list[int], rate: int, burst: int
) -> None:
    bucket = Bucket(rate=rate, burst=burst)
    now, given_at = 0, []
    for step in steps:
        now += step
        if bucket.take(now):
            given_at.append(now)

    for first, start in enumerate(given_at):
        for last, end in enumerate(given_at[first:], first):
            allowed = burst + (end - start) * rate / SECOND
            assert last - first + 1 <= allowed + 1e-6


def test_each_key_has_a_bucket_of_its_own() -> None:
    buckets = BucketPerKey(rate=1, burst=1)

    assert buckets.take("198.51.100.1", 0)
    assert not buckets.take("198.51.100.1", 0)
    assert buckets.take("198.51.100.2", 0)


def test_a_key_in_use_is_not_forgotten_for_others() -> None:
    buckets = BucketPerKey(rate=0, burst=1, most_keys=2)
    buckets.take("busy", 0)

    for number in range(10):
        assert buckets.take(f"passer-by {number}", 0)
        assert not buckets.take("busy", 0)


def test_only_the_most_recently_used_keys_are_kept() -> None:
    buckets = BucketPerKey(rate=0, burst=1, most_keys=2)

    for key in ("first", "second", "third"):
        buckets.take(key, 0)

    assert not buckets.take("third", 0)
    assert not buckets.take("second", 0)
    assert buckets.take("first", 0)  # forgotten: it begins afresh


def test_a_key_that_is_only_looked_at_once_got_a_bucket_of_its_own() -> None:
    buckets = BucketPerKey(rate=0, burst=1)

    assert buckets.has("a", 0)
    assert buckets.take("b", 0)

    assert list(buckets._buckets) == ["b"]
    assert not buckets.has("b", 0)


def test_thousands_who_had_come_once_were_held_until_as_many_others_came() -> None:
    buckets = BucketPerKey(rate=1, burst=2)
    for number in range(10):
        buckets.take(f"passer-by {number}", 0)

    buckets.take("another", SECOND)

    assert list(buckets._buckets) == ["another"]


def test_who_has_not_all_tokens_back_is_not_let_go_of() -> None:
    buckets = BucketPerKey(rate=1, burst=2)
    buckets.take("busy", 0)
    buckets.take("busy", 0)

    buckets.take("another", SECOND)

    assert buckets.take("busy", SECOND)
    assert not buckets.take("busy", SECOND)
