"""The conditions of the experiment: kinds and amounts of disturbance."""

from dataclasses import dataclass
from random import Random
from typing import Callable

import peaks
import radio
import sensors

CLEAN, FILLING = "clean", "filling"
AVERAGED = ("mean_of", "exponential", "mean_s", "twice", "from_rate")  # RR that are not those of single beats


@dataclass(frozen=True)
class Condition:
    kind: str
    amount: float | None = None
    is_everyday: bool = True
    stage: str = "none"  # what is disturbed: peaks, intervals or notifications
    disturb: Callable | None = None

    @property
    def name(self):
        return self.kind if self.amount is None else f"{self.kind} {self.amount:g}"

    def sent(self, times, seed):
        """The notifications of a strap for R peaks at `times`."""
        random = Random(f"{seed} {self.name}")

        def apply(stage, value):
            return self.disturb(value, self.amount, random) if stage == self.stage else value

        beats = apply("intervals", peaks.intervals(apply("peaks", list(times))))
        return apply("notifications", radio.notifications(beats, times[0]))


def series(stage, kind, disturb, amounts, everyday):
    """One condition per amount. Amounts up to `everyday` occur in everyday use."""
    return [Condition(kind, amount, (amount or 0) <= everyday, stage, disturb) for amount in amounts]


RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
SECONDS = (5, 10, 20, 40)
NEVER = -1

CONDITIONS = [
    Condition(CLEAN),
    *series("peaks", "missed", peaks.missed, RATES, 0.02),
    *series("peaks", "extra", peaks.extra, RATES, 0.02),
    *series("peaks", "pvc", peaks.premature(0.15, 0.4), RATES, 0.02),
    *series("peaks", "pac_subtle", peaks.premature(0.08, 0.15), RATES, 0.02),
    *series("peaks", "mislocated", peaks.mislocated, (0.02, 0.05, 0.1, 0.2), 0.02),
    *series("peaks", "jitter", peaks.jitter, (1, 3, 5, 10), 3),
    *series("peaks", "quantised", peaks.quantised, (4, 8), 8),
    *series("notifications", "lost", radio.lost, (0.02, 0.05, 0.1, 0.2, 0.3, 0.5), 0.1),
    *series("notifications", "lost_block", radio.lost_block, (5, 10, 20, 30), 10),
    *series("notifications", "doubled", radio.doubled, (0.05, 0.1, 0.2, 1), 0.1),
    *series("notifications", "link_lost", radio.link_lost, (10, 30), 10),
    *series("notifications", "stalls", radio.stalls, (None,), 0),
    *series("intervals", "mean_of", sensors.running_mean, (2, 3, 4, 5, 8), NEVER),
    *series("intervals", "exponential", sensors.exponential, (0.5, 0.3, 0.1), NEVER),
    *series("intervals", "mean_s", sensors.seconds_mean, (3,), NEVER),
    *series("intervals", "twice", sensors.repeated, (None,), NEVER),
    *series("intervals", "from_rate", sensors.from_rate, (None,), NEVER),
    *series("notifications", "contact_hold", radio.contact_lost("hold"), SECONDS, 5),
    *series("notifications", "contact_garbage", radio.contact_lost("garbage"), SECONDS, 5),
    *series("notifications", "contact_none", radio.contact_lost("none"), SECONDS, 5),
    *series("notifications", "garbage_unflagged", radio.contact_lost("garbage", False), (3, 5, 10, 20), NEVER),
]
