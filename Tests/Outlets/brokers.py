"""MQTT brokers under test, and a client that records what they deliver."""
import json
import signal
import socket
import subprocess
import sys
import threading
import time

import paho.mqtt.client as mqtt

from publisher import free_port, stop, wait_for

AMQTT = '''
import asyncio, logging, sys
from amqtt.broker import Broker
logging.disable(logging.CRITICAL)
async def main():
    broker = Broker({"listeners": {"default": {"type": "tcp", "bind": "127.0.0.1:" + sys.argv[1]}},
                     "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}}})
    await broker.start()
    await asyncio.Event().wait()
asyncio.run(main())
'''


class Broker:
    """mosquitto or amqtt on a free port, which can be killed and started again."""

    def __init__(self, home, kind="mosquitto", lines=()):
        self.home, self.kind, self.lines, self.port = home, kind, list(lines), free_port()
        self.start()

    def start(self):
        if self.kind == "amqtt":
            command = [sys.executable, "-c", AMQTT, str(self.port)]
        else:
            path = self.home.file("mosquitto.conf")
            settings = [f"listener {self.port} 127.0.0.1", "persistence false", *(self.lines or ["allow_anonymous true"])]
            with open(path, "w") as file:
                file.write("\n".join(settings) + "\n")
            command = ["mosquitto", "-c", path]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.is_listening, what=f"the broker {self.kind}")

    def is_listening(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self, number=signal.SIGKILL):
        stop(self.process, number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Message:
    def __init__(self, message):
        self.time, self.topic = time.monotonic(), message.topic
        self.payload, self.is_retained, self.qos = message.payload, message.retain, message.qos

    @property
    def json(self):
        return json.loads(self.payload)

    @property
    def text(self):
        return self.payload.decode()


class Subscriber:
    """Records all messages; connects again if the broker is restarted."""

    def __init__(self, broker, topic="#"):
        self.messages, self.ready = [], threading.Event()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe(topic, qos=1)
        self.client.on_subscribe = lambda *_: self.ready.set()
        self.client.on_message = lambda _client, _data, message: self.messages.append(Message(message))
        self.client.connect("127.0.0.1", broker.port, keepalive=5)
        self.client.loop_start()
        assert self.ready.wait(60), "no subscription"

    def of(self, suffix, retained=None):
        return [m for m in list(self.messages)
                if m.topic.endswith(suffix) and (retained is None or m.is_retained == retained)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.disconnect()
        self.client.loop_stop()
