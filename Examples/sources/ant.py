#!/usr/bin/env python3
"""ANT+ heart rate strap as a source, through an ANT USB stick and openant (pip install openant):

    ant.py | stressmon live --source -

The beat counter of the pages shows missed pages. An interval that spans missed beats is printed as one interval, which
stressmon classifies as missed or as a gap. Page 4 adds the time of the previous beat.

--device N selects a strap by its number (default: any). --capture FILE writes the received pages, one per line (time in
seconds, page in hexadecimal digits), and --replay FILE reads such a file instead of the stick.

Not tried with hardware: the decoder is tested with generated pages.
Source: ANT+ Device Profile, Heart Rate Monitor.
"""
import argparse
import json
import sys
import time

HEART_RATE_MONITOR = 120
PREVIOUS_BEAT_PAGE = 4


class Decoder:
    """Converts pages of 8 bytes to RR intervals in ms."""

    def __init__(self):
        self.count = None
        self.time = None

    def intervals(self, page):
        """The intervals that end with the beats of the page; none if the page repeats the previous beat."""
        number = page[0] & 0x7F
        time, count = page[4] | page[5] << 8, page[6]
        last_count, last_time = self.count, self.time
        self.count, self.time = count, time
        beats = 0 if last_count is None else (count - last_count) & 0xFF
        if beats == 0:
            return []
        ends = [time]
        if number == PREVIOUS_BEAT_PAGE and beats > 1:
            ends.insert(0, page[2] | page[3] << 8)
        found = []
        for end in ends:
            found.append(((end - last_time) & 0xFFFF) * 1000 / 1024)
            last_time = end
        return found


def emit(decoder, page, at=None):
    intervals = decoder.intervals(page)
    if not intervals:
        return
    line = {"rr_ms": [round(interval, 4) for interval in intervals if 0 < interval <= 60000]}
    if page[7]:
        line["hr_bpm"] = page[7]
    if at is not None:
        line["t"] = at
    print(json.dumps(line), flush=True)


def replay(path):
    decoder = Decoder()
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            at, page = line.split()
            emit(decoder, bytes.fromhex(page), float(at))


def receive(device, capture):
    from openant.devices import ANTPLUS_NETWORK_KEY
    from openant.easy.channel import Channel
    from openant.easy.node import Node

    decoder = Decoder()

    def on_page(data):
        page = bytes(data[:8])
        if capture:
            print(f"{time.monotonic():.4f} {page.hex()}", file=capture, flush=True)
        emit(decoder, page)

    node = Node()
    node.set_network_key(0, ANTPLUS_NETWORK_KEY)
    channel = node.new_channel(Channel.Type.BIDIRECTIONAL_RECEIVE)
    channel.on_broadcast_data = on_page
    channel.on_burst_data = on_page
    channel.set_period(8070)
    channel.set_search_timeout(255)
    channel.set_rf_freq(57)
    channel.set_id(device, HEART_RATE_MONITOR, 0)
    try:
        channel.open()
        node.start()
    finally:
        node.stop()


def main():
    parser = argparse.ArgumentParser(description="ANT+ heart rate strap as a source of stressmon")
    parser.add_argument("--device", type=int, default=0, help="number of the strap (default: any)")
    parser.add_argument("--capture", type=argparse.FileType("w"), help="also write the pages to a file")
    parser.add_argument("--replay", help="read pages from a file")
    options = parser.parse_args()
    name = f"ANT+ {options.device}" if options.device else "ANT+"
    print(json.dumps({"sensor": name}), flush=True)
    try:
        replay(options.replay) if options.replay else receive(options.device, options.capture)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.stderr.close()


if __name__ == "__main__":
    main()
