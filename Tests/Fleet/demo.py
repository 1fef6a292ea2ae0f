"""make fleet: a fleet on one machine, with failures. Its last line is JSON.

    demo.py PROGRAM [--receivers 5] [--straps 10] [--outage 120] [--keep]
"""
import argparse
import json
import sys
import threading
import time

from equality import Comparison
from fleet import Fleet
from polling import wait_for


def report(text):
    print(text, flush=True)


class Latency(threading.Thread):
    """Measures the time from a notification to the query that returns it, in normal operation."""

    def __init__(self, fleet):
        super().__init__(daemon=True)
        self.fleet, self.longest, self.queries, self.is_running = fleet, 0.0, 0, True

    def run(self):
        seen = {}
        while self.is_running:
            rows = self.fleet.primary.sql(
                "SELECT s.number, e.wall_us, extract(epoch FROM clock_timestamp()) - e.wall_us / 1e6 FROM stressmon.session s, "
                "LATERAL (SELECT wall_us FROM stressmon.event WHERE day = s.day AND session = s.number AND kind = 1 "
                "ORDER BY sequence DESC LIMIT 1) e WHERE s.outcome IS NULL", "stressmon")
            self.queries += 1
            for session, newest, age in rows:
                if session in seen and seen[session] != newest:
                    self.longest = max(self.longest, float(age))
                seen[session] = newest
            time.sleep(0.05)

    def finish(self):
        self.is_running = False
        self.join()
        return round(self.longest, 2)


class Demonstration:
    def __init__(self, fleet, outage):
        self.fleet, self.outage, self.catch_up = fleet, outage, {}

    def run(self):
        fleet = self.fleet
        report(f"starting {len(fleet.machines)} machines, {fleet.sessions()} straps")
        fleet.start()
        report(f"all {fleet.sessions()} sessions are in PostgreSQL after {fleet.wait()} s")
        latency = Latency(fleet)
        latency.start()
        time.sleep(20)
        self.longest = latency.finish()
        report(f"longest time from notification to query in 20 s: {self.longest} s ({latency.queries} queries)")
        self._show()
        self._failure("leader", self._kill_leader)
        self._failure("collector", self._kill_collector)
        self._failure("primary", self._kill_primary)
        self._failure("receiver", self._disconnect_receiver)
        self._restore()
        return self._result()

    def _show(self):
        for row in self.fleet.primary.sql(
                "SELECT participant, minute, round(rmssd_ms::numeric, 1) FROM stressmon.rmssd_per_minute "
                "WHERE rmssd_ms IS NOT NULL ORDER BY minute DESC, participant LIMIT 5", "stressmon"):
            report("  " + "  ".join(row))

    def _failure(self, name, action):
        report(f"{name}: {action.__doc__}")
        action()
        self.catch_up[name] = self.fleet.wait()
        report(f"{name}: all sessions are current again after {self.catch_up[name]} s")

    def _kill_leader(self):
        """kills the nats-server that leads the stream"""
        leader = self.fleet.log.leader("fleet-rest")
        leader.kill()
        self.killed = leader

    def _kill_collector(self):
        """kills one of two collectors"""
        self.fleet.collectors[0].kill()

    def _kill_primary(self):
        """kills the primary of PostgreSQL and promotes the standby"""
        fleet = self.fleet
        fleet.primary.kill()
        fleet.standby.promote()
        fleet.primary, fleet.standby = fleet.standby, fleet.primary

    def _disconnect_receiver(self):
        """disconnects a receiver, and connects it again later"""
        machine = self.fleet.receivers[0].machine
        machine.disconnect()
        time.sleep(self.outage)
        machine.connect()

    def _restore(self):
        """Starts the killed processes; the former primary becomes a standby."""
        fleet = self.fleet
        self.killed.start()
        fleet.collectors[0].start("--replicas", "3")
        fleet.standby.rewind(fleet.primary)
        fleet.primary.sql("ALTER SYSTEM RESET synchronous_standby_names")
        fleet.primary.sql("SELECT pg_reload_conf()")
        self.catch_up["restored"] = fleet.wait()
        report(f"restored: {fleet.primary.sql('SELECT count(*) FROM pg_stat_replication')[0][0]} standby")

    def _result(self):
        fleet = self.fleet
        for receiver in fleet.receivers:
            receiver.end()
        self._wait_for_ends()
        comparison = Comparison(fleet.receivers, fleet.collectors[0], fleet.primary).run()
        for difference in comparison.differences[:20]:
            report(f"  difference: {difference}")
        rows = int(fleet.primary.sql("SELECT count(*) FROM stressmon.event", "stressmon")[0][0])
        local, central = comparison.beat_hashes()
        return {
            "sessions": comparison.sessions, "beats": comparison.beats, "rows": rows, "duplicate_rows": comparison.duplicates(),
            "measurements": comparison.measurements, "beat_hash": central,
            "hash_equal": local == central and not comparison.differences and comparison.events == rows and comparison.beats > 0,
            "longest_latency_s": self.longest, "catch_up_s": self.catch_up}

    def _wait_for_ends(self):
        if not wait_for(lambda: self._ended_sessions() >= self.fleet.sessions(), 40):
            rows = self.fleet.primary.sql("SELECT id, next, highest, total, outcome FROM stressmon.session", "stressmon")
            raise RuntimeError(f"not all sessions ended in PostgreSQL: {rows}")

    def _ended_sessions(self):
        return int(self.fleet.primary.sql(
            "SELECT count(*) FROM stressmon.session WHERE ended IS NOT NULL AND next = total", "stressmon")[0][0])


def main():
    parser = argparse.ArgumentParser(description="A fleet on one machine, with failures.")
    parser.add_argument("program")
    parser.add_argument("--receivers", type=int, default=5)
    parser.add_argument("--straps", type=int, default=10, help="simulated straps per receiver")
    parser.add_argument("--outage", type=float, default=120, help="time without network of a receiver in s")
    parser.add_argument("--keep", action="store_true", help="keep the files")
    options = parser.parse_args()
    fleet = Fleet(options.program, options.receivers, options.straps)
    try:
        result = Demonstration(fleet, options.outage).run()
    finally:
        fleet.stop(options.keep)
    print(json.dumps(result))
    return 0 if result["hash_equal"] and result["duplicate_rows"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
