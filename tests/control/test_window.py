"""What full queues and errors do to the window."""

from burstctl.control.window import Window


def test_a_full_queue_cuts_once_per_round_trip() -> None:
    window = Window(60)
    for i in range(10):
        window.full(sent_s=1.0 + i / 100, now_s=1.5)
    assert window.size == 45
    window.full(sent_s=1.6, now_s=2.0)
    assert window.size == 33.75


def test_a_few_errors_are_chance_and_many_are_not() -> None:
    window = Window(60)
    for i in range(1000):
        now_s = i / 100
        if i % 20:
            window.succeeded(now_s)
        else:
            window.ambiguous(now_s - 0.1, now_s)
    assert window.size == 60
    for i in range(1000, 1100):
        window.ambiguous(i / 100 - 0.1, i / 100)
    assert window.size < 60


def test_it_grows_back_to_where_it_began_and_no_further() -> None:
    window = Window(10)
    for i in range(8):
        window.full(sent_s=float(i), now_s=i + 0.5)
    assert window.size == 2
    for i in range(300):
        window.succeeded(10.0 + i / 100)
    assert window.size == 10


def test_it_never_closes() -> None:
    window = Window(1)
    for i in range(20):
        window.full(sent_s=float(i), now_s=i + 0.5)
    assert window.size == 1
