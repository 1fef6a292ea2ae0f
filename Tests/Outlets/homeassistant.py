"""MQTT: discovery by the rules of Home Assistant, states, availability, retained messages, authentication and TLS."""
import os
import signal
import subprocess
import sys
import threading

from brokers import Broker, Subscriber
from publisher import Home, Publisher, session, stop, wait_for

# Device classes of numeric sensors and their units (developers.home-assistant.io, sensor entity).
UNITS = {"duration": {"d", "h", "min", "s", "ms", "µs"}, "battery": {"%"}}
SENSOR_KEYS = {
    "platform", "unique_id", "default_entity_id", "name", "value_template", "device_class", "unit_of_measurement",
    "state_class", "options", "suggested_display_precision", "entity_category", "icon", "expire_after"}
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
    identifier = message.topic.split("/")[2]
    assert message.topic == f"homeassistant/device/{identifier}/config"
    assert all(c.isascii() and (c.isalnum() or c in "_-") for c in identifier), identifier
    config = message.json
    assert set(config) == {"device", "origin", "components", "state_topic", "availability", "availability_mode", "qos"}
    assert config["device"]["identifiers"] and config["device"]["name"] and config["origin"]["name"]
    assert not config["state_topic"].startswith("homeassistant/")
    assert config["availability_mode"] == "all" and len(config["availability"]) == 2
    assert all(set(entry) == {"topic"} for entry in config["availability"])
    ids = set()
    for sensor in config["components"].values():
        assert set(sensor) <= SENSOR_KEYS, set(sensor) - SENSOR_KEYS
        assert sensor["platform"] == "sensor" and sensor["expire_after"] > 10 and "object_id" not in sensor
        assert sensor["default_entity_id"].startswith("sensor.")
        ids.add(sensor["unique_id"])
        if sensor.get("device_class") == "enum":
            assert sensor["options"] == ["relaxed", "mild", "moderate", "high"]
            assert "state_class" not in sensor and "unit_of_measurement" not in sensor
        else:
            assert sensor["state_class"] == "measurement"
            assert sensor.get("device_class") is None or sensor["unit_of_measurement"] in UNITS[sensor["device_class"]]
    assert len(ids) == len(config["components"]) == 7
    return config


def check_states(config, states):
    live = [state.json for state in states if state.json["hr_bpm"] is not None]
    assert len(live) >= 3, live
    for state in live:
        assert 30 < state["hr_bpm"] < 220
        for sensor in config["components"].values():
            key = sensor["value_template"].removeprefix("{{ value_json.").removesuffix(" }}")
            assert key in state, (key, state)
            if key == "category":
                assert state[key] is None or state[key] in sensor["options"]
            else:
                assert state[key] is None or isinstance(state[key], (int, float))
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
            wait_for(lambda: len(late.messages) >= 3, what="the retained messages")
            kept = {message.topic.rsplit("/", 1)[1]: message.payload for message in late.messages}
        assert set(kept) == {"config", "link", "status"}, kept
        for payload in kept.values():
            assert NAME not in payload.decode() and os.uname().nodename not in payload.decode()
        print(f"mqtt, {kind}: discovery of {len(config['components'])} sensors, {len(states)} states, at most "
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
    test_faults(sys.argv[1])
    test_tls(sys.argv[1])
