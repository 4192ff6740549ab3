"""A few of what `bench/serving/storms.py` tries many times: kills, windows, saves and a full disk lose nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.programs.storms import fill_disk, kill, open_windows

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals, /proc and limits of another process")


def test_killed_at_any_moment_of_a_storm_nothing_is_lost(tmp_path: Path) -> None:
    count = kill(tmp_path, 3, 12)
    assert count.saves >= 12
    assert not count.wrong


def test_windows_in_a_storm_agree_with_the_disk_though_the_holder_is_killed(tmp_path: Path) -> None:
    count = open_windows(tmp_path, 3, 120, 1)
    assert count.longest_log < 64 * 2**20
    assert not count.wrong


def test_without_room_nothing_is_lost(tmp_path: Path) -> None:
    assert not fill_disk(tmp_path, 1).wrong
