"""MQTT: discovery by the rules of Home Assistant, states, availability, retained messages, authentication and TLS."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import jsonschema

from brokers import Broker, Subscriber
from publisher import Home, Publisher, session, stop, wait_for

SCHEMA = json.loads(pathlib.Path(__file__).with_name("discovery.schema.json").read_text())
NAME = "Zoë Pérez"


def feed(program, home, publisher, seconds):
    """Passes the lines of a simulated session; returns them."""
    lines = []
    subprocess.run([program, "profile", "add", NAME], env=home.environment, capture_output=True, check=False)
    with session(program, home, "--duration", f"{seconds}s", "--profile", NAME) as live:
        for line in live.stdout:
            lines.append(line)
            publisher.write(line)
    return lines


def check_discovery(message):
    """Home Assistant's rules of device discovery, as in discovery.schema.json, and those that a schema cannot express."""
    identifier = message.topic.split("/")[2]
    assert message.topic == f"homeassistant/device/{identifier}/config"
    assert all(c.isascii() and (c.isalnum() or c in "_-") for c in identifier), identifier
    config = message.json
    jsonschema.Draft202012Validator(SCHEMA).validate(config)
    assert not config["state_topic"].startswith("homeassistant/")
    entities = config["components"].values()
    assert len({entity["unique_id"] for entity in entities}) == len(entities)
    for entity in entities:
        assert entity["default_entity_id"].startswith(entity["platform"] + ".")
        assert entity.get("expire_after", 11) > 10
    return config


def check_states(config, states):
    live = [state.json for state in states if state.json["hr_bpm"] is not None]
    assert len(live) >= 3, live
    for state in live:
        assert 30 < state["hr_bpm"] < 220
        for sensor in config["components"].values():
            if "state_topic" in sensor or sensor["platform"] != "sensor":
                continue
            key = sensor["value_template"].removeprefix("{{ value_json.").removesuffix(" }}")
            assert key in state, (key, state)
            if key == "category":
                assert state[key] is None or state[key] in sensor["options"]
            else:
                assert state[key] is None or isinstance(state[key], (int, float)) and round(state[key], 2) == state[key]
    assert live[-1]["stress"] is not None and live[-1]["category"] is not None


def test_session(program, kind):
    with Home() as home, Broker(home, kind) as broker, Subscriber(broker) as subscriber:
        url = f"mqtt://127.0.0.1:{broker.port}"
        with Publisher(program, home, url) as publisher:
            feed(program, home, publisher, 45)
            publisher.finish()
            assert publisher.process.returncode == 0, publisher.log()
        wait_for(lambda: subscriber.of("/status") and subscriber.of("/status")[-1].text == "offline", what="offline")
        config = check_discovery(subscriber.of("/config")[0])
        states = subscriber.of("/state")
        check_states(config, states)
        # A slow machine delays states, but no more than the states of a timer that runs every ten seconds.
        longest = max(b.time - a.time for a, b in zip(states, states[1:]))
        assert longest < 15, longest
        assert [m.text for m in subscriber.of("/link")] == ["offline", "online", "offline"]
        assert [m.text for m in subscriber.of("/status")] == ["online", "offline"]
        assert all(value is None for value in states[-1].json.values()), "the last state is not withdrawn"
        with Subscriber(broker) as late:
            wait_for(lambda: len(late.messages) >= 4, what="the retained messages")
            kept = {message.topic.rsplit("/", 1)[1]: message.payload for message in late.messages}
        assert set(kept) == {"config", "device", "link", "status"}, kept
        device = json.loads(kept["device"])
        # The battery is known also after the session.
        assert device["battery_percent"] > 0 and not device["measuring"] and not device["connected"], device
        assert any(m.json["measuring"] and m.json["connected"] for m in subscriber.of("/device")), "no session"
        for payload in kept.values():
            assert NAME not in payload.decode() and os.uname().nodename not in payload.decode()
        print(f"mqtt, {kind}: discovery of {len(config['components'])} entities, {len(states)} states, at most "
              f"{longest:.1f} s apart; retained: {', '.join(sorted(kept))}")


def test_faults(program):
    """Last Will after kill -9, discovery on request, and a new connection after kill -9 of the broker."""
    with Home() as home, Broker(home) as broker, Subscriber(broker) as subscriber:
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        url = f"mqtt://127.0.0.1:{broker.port}/a+b"
        try:
            with Publisher(program, home, url, is_piped=False) as publisher:
                wait_for(lambda: subscriber.of("stressmon/a_2bb/state"), what="a state")
                count = len(subscriber.of("/config"))
                subscriber.client.publish("homeassistant/status", "online")
                wait_for(lambda: len(subscriber.of("/config")) > count, what="repeated discovery")
                broker.stop()
                wait_for(lambda: publisher.targets()[url]["state"] == "retrying", what="a retry")
                before = len(subscriber.of("/state"))
                broker.start()
                wait_for(lambda: len(subscriber.of("/state")) > before, what="a state after the restart")
                status = wait_for(
                    lambda: (found := publisher.targets()[url])["state"] == "connected" and found, what="the state")
                assert status["last_error"], status
                wait_for(lambda: publisher.targets()[url]["last_error"] is None, what="the end of the error")
            # Publisher ends with SIGKILL here.
            wait_for(lambda: subscriber.of("a_2bb/status")[-1].text == "offline", what="the Last Will")
            print("mqtt: Last Will after kill -9, discovery on request, new connection after kill -9 of the broker")
        finally:
            stop(live)


def test_people(program):
    """Three people are three devices; their names are those of the targets, and removal leaves no retained topic."""
    with Home() as home, Broker(home) as broker, Subscriber(broker) as subscriber:
        broker_url = f"mqtt://127.0.0.1:{broker.port}"
        urls = [f"{broker_url}/{name}?name={name}%20P.&commands=on&base=home/heart&page=https://x.example/" for name in
                ("anna", "ben", "zoë")]
        with Publisher(program, home, *urls, is_piped=False) as publisher:
            configs = wait_for(lambda: len(found := subscriber.of("/config")) >= 3 and found, what="three devices")
            found = [check_discovery(config) for config in configs]
            assert {config["device"]["name"] for config in found} == {"anna P.", "ben P.", "zoë P."}
            ids = [entity["default_entity_id"] for config in found for entity in config["components"].values()]
            assert len(set(ids)) == len(ids) and "sensor.stressmon_anna_p_heart_rate" in ids, ids
            assert {"mark", "measure", "breathe", "person", "battery", "worn"} <= set(found[0]["components"])
            denied = subprocess.run([program, "publish", "--remove", urls[0]], env=home.environment, capture_output=True)
            assert denied.returncode == 1 and b"end it first" in denied.stderr, denied
            publisher.signal(signal.SIGTERM)
        subprocess.run([program, "publish", "--remove", *urls], env=home.environment, check=True, capture_output=True)
        with Subscriber(broker) as late:
            late.client.publish("end", "")
            wait_for(lambda: late.of("end"), what="the end of the retained messages")
            assert [m.topic for m in late.messages] == ["end"], [m.topic for m in late.messages]
        with Publisher(program, home, f"mqtt://127.0.0.1:{broker.port}", "--profile", "nosuch", is_piped=False) as typo:
            assert typo.process.wait(60) == 1 and "nosuch" in typo.log(), typo.log()
        print("mqtt: three people are three devices; --remove leaves no retained topic")


def test_duplicate(program):
    """Two processes with one identity report each other."""
    with Home() as home, Broker(home) as broker:
        url = f"mqtt://127.0.0.1:{broker.port}/same?interval=1"
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        with Publisher(program, home, url, is_piped=False) as one:
            wait_for(lambda: ": connected" in one.log(), what="the first connection")
            with Home() as other, Publisher(program, other, url, is_piped=False) as two:
                for publisher in (one, two):
                    wait_for(lambda: "another program publishes the device same" in publisher.log(), what="the warning")
            wait_for(lambda: one.targets()[url]["last_error"] is None, what="deliveries after the warning")
            # The log is written after the state.
            time.sleep(1)
            assert "delivered again" not in one.log(), one.log()
        stop(live)
        print("mqtt: two publishers of one device are reported by both")


def test_commands(program):
    """A button marks the session; without commands=on, the message has no effect."""
    with Home() as home, Broker(home) as broker, Subscriber(broker) as subscriber:
        live, lines = session(program, home), []
        threading.Thread(target=lambda: lines.extend(live.stdout), daemon=True).start()
        targets = [f"mqtt://127.0.0.1:{broker.port}/on?commands=on", f"mqtt://127.0.0.1:{broker.port}/off"]
        try:
            with Publisher(program, home, *targets, is_piped=False) as publisher:
                wait_for(lambda: subscriber.of("on/state") and subscriber.of("off/state"), what="states")
                subscriber.client.publish("stressmon/off/command", "mark")
                subscriber.client.publish("stressmon/on/command", "explode")
                subscriber.client.publish("stressmon/on/command", "measure")
                subscriber.client.publish("stressmon/on/command", "mark")
                wait_for(lambda: any(b'"type":"mark"' in line for line in list(lines)), what="a mark")
                wait_for(lambda: "the command 'explode' is unknown" in publisher.log(), what="the unknown command")
                # There is no Bluetooth here, so the reading fails, and its reason is printed.
                wait_for(lambda: "stressmon: measure: " in publisher.log(), what="the failed reading")
                assert sum(b'"type":"mark"' in line for line in lines) == 1
        finally:
            stop(live)
        print("mqtt: buttons mark the session and start readings, if the target permits it")


def certificates(home):
    """An authority, and certificates of the broker and of a client."""
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=home.path)
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca")
    with open(home.file("names"), "w") as file:
        file.write("subjectAltName=DNS:localhost")
    for name, subject in [("server", "localhost"), ("client", "stressmon")]:
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
                "-subj", f"/CN={subject}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-out", f"{name}.pem", "-extfile", "names")
    os.chmod(home.path, 0o755)
    for name in ("server.key", "ca.pem", "server.pem"):
        os.chmod(home.file(name), 0o644)


def test_tls(program):
    with Home() as home:
        certificates(home)
        credentials = home.file("credentials")
        with open(credentials, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write("anna\nsecret\n")
        with open(home.file("wrong"), "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write("anna\nwrong\n")
        subprocess.run(["mosquitto_passwd", "-b", "-c", home.file("passwords"), "anna", "secret"], check=True)
        os.chmod(home.file("passwords"), 0o644)
        lines = ["allow_anonymous false", f"password_file {home.file('passwords')}", f"cafile {home.file('ca.pem')}",
                 f"certfile {home.file('server.pem')}", f"keyfile {home.file('server.key')}", "require_certificate true"]
        client = f"ca={home.file('ca.pem')}&cert={home.file('client.pem')}&key={home.file('client.key')}"
        with Broker(home, lines=lines) as broker:
            url = f"mqtts://localhost:{broker.port}?"
            for options, text in [
                (f"credentials={credentials}&{client}", None),
                (f"credentials={home.file('wrong')}&{client}", "Check the user name and the password"),
                (f"credentials={credentials}", "its issuer is not among the trusted authorities (those of the system); add ca=FILE"),
                (f"credentials={credentials}&ca={home.file('ca.pem')}", "requires a certificate of this client"),
                (f"credentials={credentials}&ca={home.file('client.pem')}", "correct ca=FILE"),
                (f"ca={home.file('missing.pem')}", f"cannot read {home.file('missing.pem')}"),
                (f"ca={credentials}", f"{credentials} contains no certificate in PEM format; correct ca=FILE"),
                (f"credentials={home.file('missing')}&{client}", "cannot read the credentials"),
            ]:
                with Publisher(program, home, url + options) as publisher:
                    def status(key, publisher=publisher, target=url + options):
                        return publisher.targets().get(target, {}).get(key)
                    if text is None:
                        wait_for(lambda: status("state") == "connected", what="TLS")
                    else:
                        # A connection that is reset loses its reason; the next attempt states it.
                        wait_for(lambda: text in (status("last_error") or ""), what=text)
                    publisher.signal(signal.SIGTERM)
                    assert "secret" not in publisher.log()
            numeric = f"mqtts://127.0.0.1:{broker.port}?ca={home.file('ca.pem')}"
            with Publisher(program, home, numeric) as publisher:
                wait_for(lambda: "not issued for '127.0.0.1'" in publisher.log(), what="the wrong host name")
        with Broker(home) as plain, Publisher(program, home, f"mqtts://localhost:{plain.port}") as publisher:
            wait_for(lambda: f"if it does not use TLS at port {plain.port}" in publisher.log(), what="a port without TLS")
        with Publisher(program, home, f"mqtt://broker.invalid?credentials={credentials}") as publisher:
            wait_for(lambda: "without encryption" in publisher.log(), what="the warning")
            error = wait_for(lambda: "broker.invalid port 1883" in publisher.log(), what="the failed look-up")
            assert error
        print("mqtt: TLS with client certificate and password; a wrong password, certificate or file is named")


if __name__ == "__main__":
    for kind in ("mosquitto", "amqtt"):
        test_session(sys.argv[1], kind)
    test_people(sys.argv[1])
    test_duplicate(sys.argv[1])
    test_commands(sys.argv[1])
    test_faults(sys.argv[1])
    test_tls(sys.argv[1])
