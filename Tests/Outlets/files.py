"""Files contain a value, a text or metrics and are emptied; a FIFO without reader does not block; signals withdraw the values."""
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request

from publisher import Home, OSCReceiver, Publisher, free_port, session, stop, wait_for


def content(path):
    with open(path) as file:
        return file.read()


def test_live_feed(program):
    """Reads the live feed, and ends with SIGTERM and SIGINT."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with Home() as home, OSCReceiver() as receiver:
            path, fifo = home.file("hr"), home.file("fifo")
            os.mkfifo(fifo)
            live = session(program, home)
            threading.Thread(target=live.stdout.read, daemon=True).start()
            targets = [f"file:{path}", f"file:{fifo}", f"osc://127.0.0.1:{receiver.port}", "osc://127.0.0.1:9"]
            with Publisher(program, home, *targets, is_piped=False) as publisher:
                try:
                    wait_for(lambda: os.path.exists(path) and content(path).isdigit(), what="a number in the file")
                    dropped = wait_for(
                        lambda: publisher.targets().get(f"file:{fifo}", {}).get("dropped"), what="a dropped line")
                    assert "no program reads it" in publisher.targets()[f"file:{fifo}"]["last_error"]
                    assert publisher.targets()["osc://127.0.0.1:9"]["state"] == "connected"
                    read_fifo(fifo)
                    seconds = publisher.signal(number)
                finally:
                    stop(live)
                assert publisher.process.returncode == -number, (publisher.process.returncode, publisher.log())
                assert content(path) == "", content(path)
                assert not os.path.exists(home.file(f"run/stressmon/publish/{publisher.process.pid}.json"))
                assert receiver.values("isHRConnected")[-1] is False
                print(f"files: {signal.Signals(number).name} withdrew all values and ended after {seconds:.1f} s; "
                      f"{dropped} lines dropped by the FIFO without reader")
                assert seconds < 10


def read_fifo(path):
    with open(path) as reader:
        line = reader.readline()
        assert line.strip().isdigit(), line


def test_killed_session(program):
    """A session that is killed leaves no value."""
    with Home() as home:
        path = home.file("hr")
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        with Publisher(program, home, f"file:{path}", is_piped=False) as publisher:
            try:
                wait_for(lambda: os.path.exists(path) and content(path).isdigit(), what="a number in the file")
            finally:
                stop(live)
            begin = time.monotonic()
            wait_for(lambda: content(path) == "", what="an empty file")
            print(f"files: the value was withdrawn {time.monotonic() - begin:.1f} s after kill -9 of the session")


def test_texts(program):
    """A text with values, and metrics that node_exporter reads."""
    with Home() as home:
        text, battery, metrics = home.file("text"), home.file("battery"), home.file("stressmon.prom")
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        targets = [f"file:{text}?text={{hr}} bpm, stress {{stress}}", f"file:{battery}?value=battery",
                   f"file:{metrics}?format=prometheus"]
        with Publisher(program, home, *targets, is_piped=False) as publisher:
            try:
                wait_for(lambda: os.path.exists(text) and re.fullmatch(r"\d+ bpm, stress \d+", content(text)), what="a text")
                assert content(battery).isdigit()
                if shutil.which("prometheus-node-exporter"):
                    read_by_node_exporter(home)
                else:
                    print("files: prometheus-node-exporter is not installed: the metrics were not read")
            finally:
                stop(live)
            wait_for(lambda: content(text) == "", what="an empty file")
            wait_for(lambda: "stressmon_live_sessions 0" in content(metrics), what="metrics without a session")
            publisher.signal(signal.SIGTERM)


def read_by_node_exporter(home):
    port = free_port()
    exporter = subprocess.Popen(
        ["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{port}", "--collector.disable-defaults",
         "--collector.textfile", f"--collector.textfile.directory={home.path}"], stderr=subprocess.DEVNULL)
    try:
        def exported():
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
            except OSError:
                return ""
        found = wait_for(lambda: "stressmon_stress_score{" in exported() and exported(), what="metrics of node_exporter")
        assert "node_textfile_scrape_error 0" in found
        print("files: node_exporter reads the metrics without an error")
    finally:
        stop(exporter)


def test_usage(program):
    with Home() as home:
        for arguments, status in [
            (["x://y"], 64), ([], 64), (["--list", "osc://"], 64), (["--from", "file", "osc://"], 64),
            (["--json", "osc://"], 64),
        ]:
            with Publisher(program, home, *arguments, is_piped=False) as publisher:
                assert publisher.process.wait(60) == status, (arguments, publisher.process.returncode, publisher.log())
                assert "xample" in publisher.log(), publisher.log()
        with Publisher(program, home, "osc://") as publisher:
            publisher.write(b"no JSON\n")
            publisher.finish()
            assert publisher.process.returncode == 3, publisher.log()
        with Publisher(program, home, f"file:{home.file('missing/hr')}") as publisher:
            publisher.write(b'{"type":"link"}\n')
            publisher.finish()
            assert publisher.process.returncode == 1 and "ls -ld" in publisher.log(), publisher.log()


def test_setting(program):
    """Without targets, those of the setting are used."""
    with Home() as home:
        path = home.file("hr")
        os.makedirs(home.file("config/stressmon"))
        with open(home.file("config/stressmon/config.toml"), "w") as file:
            file.write('publish = "file:~/hr file:~/stress?value=stress"\n')
        with Publisher(program, home, is_piped=False) as publisher:
            wait_for(lambda: os.path.exists(path) and os.path.exists(home.file("stress")), what="the files")
            wait_for(lambda: len(publisher.targets()) == 2, what="two targets")
            publisher.signal(signal.SIGTERM)


if __name__ == "__main__":
    test_usage(sys.argv[1])
    test_setting(sys.argv[1])
    test_texts(sys.argv[1])
    test_killed_session(sys.argv[1])
    test_live_feed(sys.argv[1])
