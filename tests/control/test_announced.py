"""Quotas as servers announce them, in the dialects that are in use; rubbish is ignored."""

import pytest

from burstctl.attempt import Quota
from burstctl.control.announced import read_announced

NOW_S = 1_796_137_200.0  # 2026-12-01T15:00:00Z


@pytest.mark.parametrize(
    ("headers", "quota"),
    [
        # The IETF draft: short windows are buckets, whose saved tokens are what exceeds the refill.
        ({"ratelimit-policy": '"default";q=150;w=1'}, Quota(150)),
        ({"ratelimit-policy": '"default";q=150;w=1', "ratelimit": '"default";r=165;t=1'}, Quota(150, 15)),
        ({"ratelimit-policy": '"default";q=150;w=1', "ratelimit": '"default";r=14;t=1'}, Quota(150, -136)),
        ({"ratelimit-policy": '"burst";q=100;w=60', "ratelimit": '"burst";r=50;t=30'}, Quota(100 / 60, 50)),
        ({"ratelimit-policy": '"a";q=600;w=1, "b";q=60;w=60', "ratelimit": '"b";r=9;t=5'}, Quota(1, 9)),
        ({"ratelimit-policy": '"fixed window";"api";q=500;w=300'}, Quota(500 / 300)),
        ({"ratelimit-policy": '"bytes";q=1000;w=1;qu="content-bytes"'}, None),
        # Its older form.
        ({"ratelimit-policy": "600;w=300", "ratelimit-limit": "600", "ratelimit-remaining": "39"}, Quota(2, 39)),
        ({"ratelimit-limit": "100", "ratelimit-remaining": "7", "ratelimit-reset": "39"}, Quota(None, 7, 39)),
        # OpenAI: a bucket; `reset` is when it is full again.
        (
            {
                "x-ratelimit-limit-requests": "5000",
                "x-ratelimit-remaining-requests": "4000",
                "x-ratelimit-reset-requests": "12s",
            },
            Quota(1000 / 12, 4000),
        ),
        (
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "1m0s",
            },
            Quota(1, 0),
        ),
        # Azure: whole seconds; GitHub: epoch seconds. Both are windows.
        (
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "45",
                "x-ratelimit-reset-requests": "7",
            },
            Quota(None, 45, 7),
        ),
        (
            {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW_S) + 90)},
            Quota(None, 0, 90),
        ),
        # Anthropic: RFC 3339.
        (
            {
                "anthropic-ratelimit-requests-limit": "50",
                "anthropic-ratelimit-requests-remaining": "20",
                "anthropic-ratelimit-requests-reset": "2026-12-01T15:00:30Z",
            },
            Quota(1, 20),
        ),
        # Rubbish.
        ({"ratelimit-policy": "nonsense"}, None),
        ({"ratelimit-policy": '"a";q=-5;w=1'}, None),
        ({"ratelimit-policy": '"a";q=5;w=0'}, None),
        ({"ratelimit-policy": '"a";q=0;w=60'}, None),
        ({"x-ratelimit-limit": "60", "x-ratelimit-remaining": "nan", "x-ratelimit-reset": "1"}, None),
        (
            {
                "x-ratelimit-limit": "60",
                "x-ratelimit-remaining": "5",
                "x-ratelimit-reset": "Tue Feb 16 2021 09:02:42 GMT+0100",
            },
            None,
        ),
        ({"content-type": "application/json"}, None),
        ({}, None),
    ],
)
def test_dialects(headers: dict[str, str], quota: Quota | None) -> None:
    assert read_announced(tuple(headers.items()), NOW_S) == quota
