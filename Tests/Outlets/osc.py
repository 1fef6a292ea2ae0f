"""OSC: bytes of each family equal to those of python-osc, every RR interval exactly once and at its distance, the chat box,
addresses of the user, and withdrawal at the end."""
import contextlib
import statistics
import sys

from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

from publisher import PREFIX, Home, OSCReceiver, Publisher, intervals, session

MEASUREMENT = {"hasStress", "stress", "confidence", "rmssd"}
FAMILIES = {
    "hr": {"isHRConnected", "isHRActive", "HR", "onesHR", "tensHR", "hundredsHR", "floatHR", "HRPercent",
           "HRBattery", "isHRBeat", "HeartBeatToggle", "RRInterval"},
    "heartrate": {"HeartRateInt", "HeartRate3", "HeartRateFloat", "HeartRate", "HeartRateFloat01", "HeartRate2",
                  "HeartBeatToggle"},
    "vard": {"Heartrate", "Heartrate2", "Heartrate3"},
    "vrcosc": {f"VRCOSC/Heartrate/{name}" for name in (
        "Connected", "Enabled", "Value", "Normalised", "Average", "Beat", "Units", "Tens", "Hundreds")}}
FAMILIES["all"] = set().union(*FAMILIES.values())
# The value of each parameter at a heart rate in bpm, from the documentation of the programs that defined the names.
AT_HEART_RATE = {
    "HR": lambda hr: hr, "HeartRateInt": lambda hr: hr, "HeartRate3": lambda hr: hr, "Heartrate3": lambda hr: hr,
    "VRCOSC/Heartrate/Value": lambda hr: hr, "floatHR": lambda hr: hr / 127.5 - 1, "Heartrate": lambda hr: hr / 127 - 1,
    "HeartRateFloat01": lambda hr: hr / 255, "Heartrate2": lambda hr: hr / 255,
    "VRCOSC/Heartrate/Normalised": lambda hr: hr / 240, "VRCOSC/Heartrate/Tens": lambda hr: hr // 10 % 10 / 10}


def reencoded(datagram):
    message = OscMessage(datagram)
    builder = OscMessageBuilder(message.address)
    for value in message.params:
        builder.add_arg(value)
    return builder.build().dgram


def check_values(receiver, rates):
    """Each parameter has the values that its definition gives for the heart rates of another receiver."""
    for name, value in AT_HEART_RATE.items():
        found = receiver.values(name)
        expected = [value(rate) for rate in rates]
        assert not found or len(found) == len(expected) and all(
            abs(a - max(-1, b)) < 1e-6 for a, b in zip(found, expected)), (name, found[:5], expected[:5])


def test_chat_box(program):
    """The text is sent at most every two seconds, and removed at the end; an own address has its scale."""
    with Home() as home, OSCReceiver() as receiver:
        target = f"osc://127.0.0.1:{receiver.port}?names=none&chatbox=♥ {{hr}} bpm&send=/lights:hr:float:0.01"
        with Publisher(program, home, target) as publisher:
            with session(program, home, "--duration", "20s") as live:
                for line in live.stdout:
                    publisher.write(line)
            publisher.finish()
        texts = [(when, OscMessage(data)) for when, data in receiver.datagrams if data.startswith(b"/chatbox/input\0")]
        assert all(message.params[1:] == [True, False] for _, message in texts)
        assert texts[-1][1].params[0] == "" and texts[0][1].params[0].startswith("♥ "), texts
        distances = [b - a for (a, _), (b, _) in zip(texts[:-1], texts[1:-1])]
        assert distances and min(distances) > 1.9, distances
        lights = [message.params[0] for message in map(lambda item: OscMessage(item[1]), receiver.datagrams)
                  if message.address == "/lights"]
        assert 0.3 < max(lights) < 2.2 and lights[-1] == 0, lights
        assert {OscMessage(data).address for _, data in receiver.datagrams} == {"/chatbox/input", "/lights"}
        for _, datagram in receiver.datagrams:
            assert reencoded(datagram) == datagram, datagram
        print(f"osc: {len(texts)} texts in the chat box, at least {min(distances):.1f} s apart")


def test_session(program):
    with Home() as home, contextlib.ExitStack() as stack:
        receivers = {family: stack.enter_context(OSCReceiver()) for family in FAMILIES}
        default = receivers["hr"]
        targets = [f"osc://127.0.0.1:{receiver.port}?names={family}" for family, receiver in receivers.items()]
        with Publisher(program, home, *targets) as publisher:
            lines = []
            with session(program, home, "--duration", "40s") as live:
                for line in live.stdout:
                    lines.append(line)
                    publisher.write(line)
            seconds = publisher.finish()
            assert publisher.process.returncode == 0, publisher.log()
            assert seconds < 15, seconds
        for family, receiver in receivers.items():
            names = {name for _, name, _ in receiver.messages()}
            assert names == FAMILIES[family] | MEASUREMENT, (family, names ^ (FAMILIES[family] | MEASUREMENT))
            check_values(receiver, default.values("HR"))
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
    test_chat_box(sys.argv[1])
