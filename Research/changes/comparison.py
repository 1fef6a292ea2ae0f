"""Runs both programs on one recording."""

from dataclasses import dataclass, field

import causes
import reference
from files import Session
from replay import analyze, replay


@dataclass
class Comparison:
    session: Session
    baseline: tuple | None
    changes: list = field(default_factory=list)  # one per minute in which both programs have a measurement
    # Value of the labelled normal beats by minute, if there are labels.
    truth: dict = field(default_factory=dict)
    # Metrics of the complete recording: before, after, and RMSSD of the labelled normal beats, if there are labels.
    final: tuple | None = None
    error: str | None = None


def run(task):
    programs, session, baseline = task
    result = Comparison(session, baseline)
    try:
        old, new = (replay(program, session, baseline) for program in programs)
    except ValueError as error:
        result.error = str(error).splitlines()[-1].replace(str(session.path), session.name)
        return result
    if not new.minutes or not old.minutes:
        result.error = "no RR intervals"
        return result
    minutes = sorted(set(old.minutes) & set(new.minutes))
    result.changes = [causes.compare(minute, old, new) for minute in minutes]
    result.truth = reference.values(session, result.changes)
    if not baseline:
        result.final = (*(analyze(program, session) for program in programs), reference.rmssd(session))
    return result
