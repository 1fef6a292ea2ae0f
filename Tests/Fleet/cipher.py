"""The encryption of messages (docs/design/fleet.md, "Keys of participants") without stressmon: a receiver can run any program.

X25519 (RFC 7748), HKDF-SHA256 (RFC 5869) and ChaCha20-Poly1305 (RFC 8439), too slow and not constant in time, for a few messages of tests."""
import base64
import hashlib
import hmac
import os
import struct

P = 2 ** 255 - 19
AUTHENTICATED = ("Nats-Msg-Id", "Stressmon-Format", "Stressmon-Events", "Stressmon-Deleted-From")
BASE_POINT = (9).to_bytes(32, "little")


def x25519(scalar, point):
    bits = int.from_bytes(scalar, "little") & ~7 & (1 << 255) - 1 | 1 << 254
    x1 = int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3 = 1, 0, x1, 1
    for index in range(254, -1, -1):
        swaps = bits >> index & 1
        if swaps:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P
        if swaps:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def _quarter(state, a, b, c, d):
    for x, y, z, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = state[x] + state[y] & 0xFFFFFFFF
        value = state[z] ^ state[x]
        state[z] = (value << shift | value >> 32 - shift) & 0xFFFFFFFF


def _block(key, counter, nonce):
    first = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), counter, *struct.unpack("<3I", nonce)]
    state = list(first)
    for _ in range(10):
        for offset in range(4):
            _quarter(state, offset, 4 + offset, 8 + offset, 12 + offset)
        for offset in range(4):
            _quarter(state, offset, 4 + (offset + 1) % 4, 8 + (offset + 2) % 4, 12 + (offset + 3) % 4)
    return struct.pack("<16I", *[a + b & 0xFFFFFFFF for a, b in zip(state, first)])


def _poly1305(key, message):
    r, s = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, int.from_bytes(key[16:], "little")
    total = 0
    for index in range(0, len(message), 16):
        total = (total + int.from_bytes(message[index:index + 16] + b"\1", "little")) * r % (2 ** 130 - 5)
    return (total + s & (1 << 128) - 1).to_bytes(16, "little")


def encrypt(key, nonce, text, data):
    """The cipher text with its tag."""
    pad = lambda content: content + bytes(-len(content) % 16)
    stream = b"".join(_block(key, 1 + index, nonce) for index in range((len(text) + 63) // 64))
    cipher = bytes(a ^ b for a, b in zip(text, stream))
    lengths = struct.pack("<QQ", len(data), len(cipher))
    return cipher + _poly1305(_block(key, 0, nonce)[:32], pad(data) + pad(cipher) + lengths)


class Sealer:
    """Encrypts messages with an own key to the participant of a ticket, as a receiver."""

    def __init__(self, ticket):
        private = os.urandom(32)
        self.sender = x25519(private, BASE_POINT)
        agreement = x25519(private, ticket.key)
        secret = hmac.digest(self.sender + ticket.key, agreement, hashlib.sha256)
        self.key = hmac.digest(secret, b"stressmon fleet message\1", hashlib.sha256)

    def seal(self, subject, headers, body):
        """The headers and the body of a message."""
        headers = {**headers, "Stressmon-Format": "3", "Stressmon-Key": base64.b64encode(self.sender).decode()}
        data = "\n".join([subject, *[headers.get(name, "") for name in AUTHENTICATED]]).encode()
        nonce = os.urandom(12)
        return headers, nonce + encrypt(self.key, nonce, body, data)
