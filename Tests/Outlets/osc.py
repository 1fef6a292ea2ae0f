"""OSC: bytes equal to those of python-osc, every RR interval exactly once and at its distance, and withdrawal at the end."""
import statistics
import sys

from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

from publisher import PREFIX, Home, OSCReceiver, Publisher, intervals, session

FAMILIES = {
    "hr": {"isHRConnected", "isHRActive", "HR", "onesHR", "tensHR", "hundredsHR", "floatHR", "HRPercent", "stress",
           "confidence", "rmssd", "HRBattery", "isHRBeat", "HeartBeatToggle", "RRInterval"},
    "heartrate": {"HeartRateInt", "HeartRate3", "HeartRateFloat", "HeartRate", "HeartRateFloat01", "HeartRate2",
                  "stress", "confidence", "rmssd", "HeartBeatToggle"}}


def reencoded(datagram):
    message = OscMessage(datagram)
    builder = OscMessageBuilder(message.address)
    for value in message.params:
        builder.add_arg(value)
    return builder.build().dgram


def test_session(program):
    with Home() as home, OSCReceiver() as default, OSCReceiver() as second:
        targets = [f"osc://127.0.0.1:{default.port}", f"osc://127.0.0.1:{second.port}?names=heartrate"]
        with Publisher(program, home, *targets) as publisher:
            lines = []
            with session(program, home, "--duration", "40s") as live:
                for line in live.stdout:
                    lines.append(line)
                    publisher.write(line)
            seconds = publisher.finish()
            assert publisher.process.returncode == 0, publisher.log()
            assert seconds < 15, seconds
        for family, receiver in zip(FAMILIES, [default, second]):
            assert {name for _, name, _ in receiver.messages()} == FAMILIES[family]
            for _, datagram in receiver.datagrams:
                assert reencoded(datagram) == datagram, datagram
                assert datagram.startswith(PREFIX.encode()), datagram
        expected = [round(rr) for rr in intervals(lines)]
        assert default.values("RRInterval") == expected, (default.values("RRInterval"), expected)
        toggles = default.values("HeartBeatToggle")
        assert len(toggles) == len(expected) and all(a != b for a, b in zip(toggles, toggles[1:]))
        pulses = default.values("isHRBeat")
        assert pulses == [True, False] * len(expected), pulses
        assert default.values("isHRConnected")[-1] is False and default.values("HR")[-1] == 0
        assert max(default.values("stress")) > 0
        times = [when for when, _, _ in default.messages("RRInterval")]
        deviations = [abs((b - a) * 1000 - rr) for a, b, rr in zip(times, times[1:], expected[1:])]
        print(f"osc: {len(expected)} RR intervals exactly once; distance of beats minus RR: median "
              f"{statistics.median(deviations):.1f} ms, largest {max(deviations):.1f} ms; end after {seconds:.1f} s")
        # A toggle that is sent on arrival would deviate by the RR variation and by whole batches.
        assert statistics.median(deviations) < 100, deviations


if __name__ == "__main__":
    test_session(sys.argv[1])
