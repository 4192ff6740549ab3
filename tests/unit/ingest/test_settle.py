"""When a file counts as settled, on a clock of the test's own."""

from __future__ import annotations

from sidecar.ingest.watching.settle import Settling
from sidecar.store import FileStat

A, B = b"/a", b"/b"
SMALL, LARGE = FileStat(1, 1), FileStat(2, 2)


def test_a_file_at_rest_settles_after_its_quiet_time() -> None:
    settling = Settling()
    settling.note(A, 0.0, 0.3, SMALL)
    assert settling.due(0.2) == []
    assert settling.next_due() == 0.3
    assert settling.due(0.3) == [A]
    assert settling.check(A, 0.3, SMALL)
    assert len(settling) == 0
    assert settling.next_due() is None


def test_every_event_starts_the_quiet_time_anew() -> None:
    settling = Settling()
    for tenth in range(10):
        settling.note(A, tenth / 10, 0.3, SMALL)
        assert settling.due(tenth / 10) == []
    assert settling.due(1.1) == []
    assert settling.due(1.21) == [A]


def test_a_file_that_still_grows_waits_on() -> None:
    settling = Settling()
    settling.note(A, 0.0, 0.3, SMALL)
    assert settling.due(0.3) == [A]
    assert not settling.check(A, 0.3, LARGE)
    assert settling.due(0.5) == []
    assert settling.due(0.61) == [A]
    assert settling.check(A, 0.61, LARGE)


def test_what_was_closed_need_rest_only_once() -> None:
    settling = Settling()
    settling.note(A, 0.0, 0.3, SMALL)  # its writing began
    settling.note(A, 0.05, 0.1, LARGE)  # and it was closed
    assert settling.due(0.16) == [A]
    assert settling.check(A, 0.16, LARGE)


def test_a_file_that_never_rests_is_let_through_in_the_end() -> None:
    settling = Settling(max_wait=2.0)
    now = 0.0
    size = 0
    while now < 10.0:
        size += 1
        settling.note(A, now, 0.3, FileStat(size, size))
        if settling.due(now):
            assert settling.check(A, now, FileStat(size + 1, size))
            break
        now += 0.1
    assert 2.0 <= now < 2.2


def test_a_file_that_is_gone_has_settled() -> None:
    settling = Settling()
    settling.note(A, 0.0, 0.3, SMALL)
    assert settling.due(1.0) == [A]
    assert settling.check(A, 1.0, None)


def test_a_shorter_quiet_time_counts_from_the_event_that_brought_it() -> None:
    settling = Settling()
    settling.note(A, 0.0, 1.0, SMALL)
    settling.note(A, 0.1, 0.1, None)
    assert settling.next_due() == 0.2
    assert settling.due(0.2) == [A]
    assert settling.check(A, 0.2, SMALL)
    assert settling.due(5.0) == []


def test_files_wait_each_for_themselves() -> None:
    settling = Settling()
    settling.note(A, 0.0, 0.3, SMALL)
    settling.note(B, 0.2, 0.3, SMALL)
    assert A in settling
    assert settling.due(0.3) == [A]
    assert settling.check(A, 0.3, SMALL)
    assert settling.due(0.5) == [B]
    settling.forget(b"/")
    assert len(settling) == 0
    assert not settling.check(B, 0.6, SMALL)
