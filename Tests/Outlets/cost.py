"""CPU time and anonymous memory of three targets (OSC, MQTT, file) at one beat per second.

    python3 Tests/Outlets/cost.py PROGRAM [SECONDS]
"""
import sys
import threading
import time

from brokers import Broker, Subscriber
from publisher import Home, OSCReceiver, Publisher, session, stop, wait_for

CPU_LIMIT, MEMORY_LIMIT = 0.5, 10e6


def measure(program, seconds):
    with Home() as home, Broker(home) as broker, Subscriber(broker) as subscriber, OSCReceiver() as osc:
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        targets = [f"osc://127.0.0.1:{osc.port}", f"mqtt://127.0.0.1:{broker.port}", f"file:{home.file('hr')}"]
        with Publisher(program, home, *targets, is_piped=False) as publisher:
            try:
                wait_for(lambda: subscriber.of("/state") and osc.values("RRInterval"), what="live values")
                begin, cpu = time.monotonic(), publisher.cpu_seconds()
                beats = len(osc.values("RRInterval"))
                time.sleep(seconds)
                percent = 100 * (publisher.cpu_seconds() - cpu) / (time.monotonic() - begin)
                beats = len(osc.values("RRInterval")) - beats
                memory = publisher.memory()
            finally:
                stop(live)
        print(f"cost: {beats} beats in {seconds:.0f} s: {percent:.2f} % of a core (limit {CPU_LIMIT}), "
              f"anonymous memory {memory / 1e6:.1f} MB (limit {MEMORY_LIMIT / 1e6:.0f})")
        # The CPU time depends on the machine and on its load, so it is only printed.
        assert beats > 0 and memory <= MEMORY_LIMIT


if __name__ == "__main__":
    measure(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 120)
