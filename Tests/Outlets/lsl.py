"""LSL: an inlet of pylsl receives every RR interval with its value and time; the streams are recorded as XDF and read with pyxdf.

LSL finds streams by multicast, so that the test runs in a network namespace of its own, as root or in a user namespace.
"""
import json
import os
import statistics
import struct
import subprocess
import sys
import threading
import time

STREAMS = {"RR": ["RR"], "HR": ["HR"], "HRV": ["RMSSD", "SDNN", "stress", "confidence"], "Markers": []}


def in_namespace(arguments):
    """Runs this file again in a network namespace with a loopback interface that has a multicast route."""
    script = "ip link set lo up && ip link set lo multicast on && ip route add 224.0.0.0/4 dev lo && exec \"$@\""
    command = ["unshare", "--net", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "sh", "-c", script,
               "sh", sys.executable, os.path.realpath(__file__), "--inside", *arguments]
    return subprocess.run(command).returncode


class Recorder(threading.Thread):
    """Records a stream; the sizes of its chunks are those of XDF."""

    def __init__(self, info, pylsl):
        super().__init__()
        self.inlet, self.samples, self.is_open = pylsl.StreamInlet(info, recover=False), [], True
        self.info = self.inlet.info(30)
        self.inlet.open_stream(30)

    def run(self):
        while self.is_open:
            try:
                sample, when = self.inlet.pull_sample(timeout=0.5)
            except Exception:
                return
            if sample is not None:
                self.samples.append((when, sample))


def chunk(tag, content):
    return b"\x04" + struct.pack("<IH", len(content) + 2, tag) + content


def write_xdf(path, recorders):
    """XDF 1.0: https://github.com/sccn/xdf/wiki/Specifications"""
    with open(path, "wb") as file:
        file.write(b"XDF:" + chunk(1, b"<?xml version=\"1.0\"?><info><version>1.0</version></info>"))
        for number, recorder in enumerate(recorders, 1):
            identifier = struct.pack("<I", number)
            file.write(chunk(2, identifier + recorder.info.as_xml().encode()))
            samples = b""
            for when, values in recorder.samples:
                samples += b"\x08" + struct.pack("<d", when)
                for value in values:
                    text = value.encode() if isinstance(value, str) else None
                    samples += b"\x04" + struct.pack("<I", len(text)) + text if text else struct.pack("<d", value)
            count = struct.pack("<I", len(recorder.samples))
            file.write(chunk(3, identifier + b"\x04" + count + samples))
            file.write(chunk(6, identifier + b"<?xml version=\"1.0\"?><info></info>"))


def check_metadata(recorder):
    info = recorder.info
    assert info.nominal_srate() == 0 and info.name() == f"stressmon {info.type()}"
    assert info.source_id().startswith("stressmon_") and info.source_id().endswith(f"_{info.type()}")
    labels, channel = [], info.desc().child("channels").child("channel")
    while not channel.empty():
        assert channel.child_value("unit") and channel.child_value("type")
        labels.append(channel.child_value("label"))
        channel = channel.next_sibling()
    assert labels == STREAMS[info.type()], labels


def test(program, library):
    import pylsl
    import pyxdf
    from publisher import Home, Publisher, session, wait_for
    with Home() as home:
        home.environment["LD_LIBRARY_PATH"] = library
        with Publisher(program, home, "lsl:") as publisher:
            wait_for(lambda: len(pylsl.resolve_streams(1)) == len(STREAMS), what="four streams")
            recorders = [Recorder(info, pylsl) for info in pylsl.resolve_streams(2)]
            assert {recorder.info.type() for recorder in recorders} == set(STREAMS)
            for recorder in recorders:
                check_metadata(recorder)
                recorder.start()
            lines = []
            with session(program, home, "--duration", "50s") as live:
                for line in live.stdout:
                    lines.append((pylsl.local_clock(), line))
                    publisher.write(line)
            time.sleep(3)
            for recorder in recorders:
                recorder.is_open = False
                recorder.join()
            publisher.finish()
            assert publisher.process.returncode == 0, publisher.log()
        path = home.file("session.xdf")
        write_xdf(path, recorders)
        streams, _ = pyxdf.load_xdf(path, synchronize_clocks=False, dejitter_timestamps=False)
        check(lines, {stream["info"]["type"][0]: stream for stream in streams})


def check(lines, streams):
    notifications = [(when, json.loads(line)) for when, line in lines if b'"notification"' in line]
    expected = [rr for _, values in notifications for rr in values["rr_ms"]]
    received = [row[0] for row in streams["RR"]["time_series"]]
    assert received == expected, (received, expected)
    # The clock of LSL minus the session time, from the line that was passed on fastest.
    offset = min(when - values["monotonic_s"] for when, values in notifications)
    errors = [1000 * (time - end - offset) for time, end in zip(streams["RR"]["time_stamps"], ends(notifications))]
    assert len(streams["HR"]["time_series"]) > 0 and len(streams["HRV"]["time_series"]) > 0
    texts = [row[0] for row in streams["Markers"]["time_series"]]
    assert texts[0] == "live", texts
    typical = statistics.median(map(abs, errors))
    print(f"lsl: {len(expected)} RR intervals equal in value; time stamps minus ends of the beats: median {typical:.2f} ms, "
          f"{min(errors):.2f} to {max(errors):.2f} ms")
    assert typical < 5, errors


def ends(notifications):
    """End times of the beats in s of session time: the sum of the RR intervals, never later than the arrival. Valid for the
    first 64 notifications, after which the timeline corrects its drift."""
    assert len(notifications) <= 64
    found, end = [], None
    for _, values in notifications:
        if not values["rr_ms"]:
            continue
        total, arrival = sum(values["rr_ms"]) / 1000, values["monotonic_s"]
        start = arrival - total if end is None else min(end, arrival - total)
        for rr in values["rr_ms"]:
            start += rr / 1000
            found.append(start)
        end = start
    return found


def test_markers(program, library):
    """Markers of a stream become marks of the session, with the times of the sender."""
    import pylsl
    from publisher import Home, Publisher, session, wait_for
    with Home() as home:
        home.environment["LD_LIBRARY_PATH"] = library
        outlet = pylsl.StreamOutlet(pylsl.StreamInfo("Experiment", "Markers", 1, 0, "string", "experiment-1"))
        live, lines, sent = session(program, home), [], []
        threading.Thread(target=lambda: lines.extend((pylsl.local_clock(), line) for line in live.stdout), daemon=True).start()
        try:
            with Publisher(program, home, "--markers", "lsl:Experiment", is_piped=False) as publisher:
                wait_for(lambda: "receiving the markers" in publisher.log() and outlet.have_consumers(), what="the inlet")
                wait_for(lambda: any(b'"notification"' in line for _, line in list(lines)), what="a notification")
                for number in range(20):
                    time.sleep(0.17)
                    sent.append(pylsl.local_clock())
                    outlet.push_sample([f"trial {number}"], sent[-1])
                marks = wait_for(lambda: len(found := [json.loads(line) for _, line in list(lines) if b'"mark"' in line]) >= 20
                                 and found, what="the marks")
                publisher.signal(15)
        finally:
            live.terminate()
            live.wait()
    assert [mark["text"] for mark in marks] == [f"trial {number}" for number in range(20)], marks
    gaps = zip(zip(sent, sent[1:]), zip(marks, marks[1:]))
    errors = [1000 * abs((b["monotonic_s"] - a["monotonic_s"]) - (later - earlier)) for (earlier, later), (a, b) in gaps]
    print(f"lsl: 20 markers are marks; distances differ by {statistics.median(errors):.2f} ms (median), at most {max(errors):.2f} ms")
    assert statistics.median(errors) < 5, errors


def test_missing_library(program):
    from publisher import Home, Publisher
    with Home() as home, Publisher(program, home, "lsl:") as publisher:
        publisher.write(b'{"type":"link"}\n')
        publisher.finish()
        assert publisher.process.returncode == 1, publisher.process.returncode
        assert "Install the package liblsl" in publisher.log(), publisher.log()


if __name__ == "__main__":
    if sys.argv[1] != "--inside":
        test_missing_library(sys.argv[1])
        sys.exit(in_namespace(sys.argv[1:]))
    import pylsl.lib
    test(sys.argv[2], os.path.dirname(pylsl.lib.lib._name))
    test_markers(sys.argv[2], os.path.dirname(pylsl.lib.lib._name))
