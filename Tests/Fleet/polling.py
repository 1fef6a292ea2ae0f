"""Polling of a condition."""
import time


def wait_for(condition, seconds=60, interval=0.2):
    """Polls every `interval` seconds. Returns whether `condition` becomes true within `seconds`."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(interval)
    return True
