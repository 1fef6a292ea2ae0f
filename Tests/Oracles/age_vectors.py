#!/usr/bin/env python3
"""Writes test vectors of the age format, one file per case, into a folder.

    age_vectors.py FOLDER       needs cryptography (PyPI); Tests/Oracles/environment makes a venv with it

The cases, their names, the file format (a textual header, an empty line, the age file) and the pseudo-random bytes
follow the public vectors of C2SP (c2sp.org/CCTV/age); the files are written from the specification (c2sp.org/age).
"""
import base64
import hashlib
import hmac
import os
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

BEGIN, END = "-----BEGIN AGE ENCRYPTED FILE-----", "-----END AGE ENCRYPTED FILE-----"
SHORT = b"age"
# The identity and the plaintext of a full last line of the public vectors.
IDENTITY = bytes.fromhex("36dcec3f5f24739a0c8b36cbb4ffa25729a94a51d41fb205a37419fe7f5adb2a")
LONG = b"age " * 10
# A point of order 8.
LOW_ORDER = bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7")


def b64(data):
    return base64.b64encode(data).decode().rstrip("=")


def not_canonical(text):
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return text[:-1] + alphabet[alphabet.index(text[-1]) + 1]


def hkdf(key, salt, info):
    return HKDF(hashes.SHA256(), 32, salt, info).derive(key)


def seal(key, nonce, data):
    return ChaCha20Poly1305(key).encrypt(nonce, data, None)


def public(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def bech32(prefix, data):
    alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    values = [int(bits[at:at + 5], 2) for at in range(0, len(bits), 5)]
    name = prefix.lower()
    checked = [ord(c) >> 5 for c in name] + [0] + [ord(c) & 31 for c in name] + values + [0] * 6
    checksum = 1
    for value in checked:
        top, checksum = checksum >> 25, (checksum & 0x1ffffff) << 5 ^ value
        for bit, generator in enumerate((0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3)):
            checksum ^= generator if top >> bit & 1 else 0
    values += [(checksum ^ 1) >> 5 * (5 - at) & 31 for at in range(6)]
    return prefix + "1" + "".join(alphabet[value] for value in values)


class Vector:
    """One file, written part by part."""

    def __init__(self):
        self.random_bytes = Cipher(algorithms.ChaCha20(b"TEST RANDOMNESS TEST RANDOMNESS!", bytes(16)), None).encryptor()
        self.file_key = b"YELLOW SUBMARINE"
        self.identity = IDENTITY
        self.lines = ["age-encryption.org/v1"]
        self.keys, self.passphrases = [], []
        self.body, self.released = b"", b""
        self.text = None

    def random(self, count):
        return self.random_bytes.update(bytes(count))

    def x25519(self, identity=None, share=None, name="X25519", key=None, listed=True):
        identity = identity or self.identity
        if listed:
            self.keys.append(identity)
        share = share or public(self.random(32))
        try:
            secret = X25519PrivateKey.from_private_bytes(identity).exchange(X25519PublicKey.from_public_bytes(share))
        except ValueError:
            secret = bytes(32)
        wrap = hkdf(secret, share + public(identity), b"age-encryption.org/v1/X25519")
        self.stanza([name, b64(share)], seal(wrap, bytes(12), key or self.file_key))
        return self

    def scrypt(self, factor=10, written=None, salt=16, name="scrypt", key=None, passphrase="password"):
        if "password" not in self.passphrases:
            self.passphrases.append("password")
        salt = self.random(salt)
        wrap = Scrypt(b"age-encryption.org/v1/scrypt" + salt, 32, 2 ** factor, 8, 1).derive(passphrase.encode())
        self.stanza([name, b64(salt), str(factor) if written is None else written],
                    seal(wrap, bytes(12), key or self.file_key))
        return self

    def stanza(self, arguments, body):
        self.lines.append(" ".join(["->"] + arguments))
        text = b64(body)
        self.lines += [text[at:at + 64] for at in range(0, len(text) + 1, 64)]
        return self

    def edit(self, change, at=-1):
        """Replaces a line of the header."""
        self.lines[at] = change(self.lines[at])
        return self

    def mac(self, change=lambda line: line, flip=0):
        header = "\n".join(self.lines).encode() + b"\n---"
        code = bytearray(hmac.new(hkdf(self.file_key, b"", b"header"), header, hashlib.sha256).digest())
        code[-1] ^= flip
        self.lines.append(change("--- " + b64(code)))
        return self

    def payload(self, data=SHORT):
        nonce = self.random(16)
        self.body = nonce + seal(hkdf(self.file_key, nonce, b"payload"), bytes(11) + b"\1", data)
        self.released = data
        return self

    def file(self):
        return "\n".join(self.lines).encode() + b"\n" + self.body

    def armor(self, change=lambda lines: lines, end="\n"):
        """Armors the file; `change` receives the lines of the armor."""
        text = base64.b64encode(self.file()).decode()
        lines = [BEGIN] + [text[at:at + 64] for at in range(0, len(text), 64)] + [END]
        self.text = (end.join(change(lines)) + end).encode()
        return self

    def contents(self, expect, comment):
        lines = [f"expect: {expect}"]
        if expect in ("success", "payload failure"):
            released = self.released if expect == "success" else b""
            lines.append(f"payload: {hashlib.sha256(released).hexdigest()}")
        lines.append(f"file key: {self.file_key.hex()}")
        lines += [f"identity: {bech32('AGE-SECRET-KEY-', key).upper()}" for key in dict.fromkeys(self.keys)]
        lines += [f"passphrase: {text}" for text in self.passphrases]
        lines += ["armored: yes"] if self.text is not None else []
        lines += [f"comment: {comment}"] if comment else []
        return "\n".join(lines).encode() + b"\n\n" + (self.file() if self.text is None else self.text)


vectors = {}


def case(name, vector, expect="success", comment=""):
    vectors[name] = vector.contents(expect, comment)


def plain():
    """The file up to before its MAC, to one X25519 identity."""
    return Vector().x25519()


def done(vector):
    return vector.mac().payload()


HEADER, NO_MATCH, MAC, PAYLOAD, ARMOR = ("header failure", "no match", "HMAC failure", "payload failure",
                                         "armor failure")


def recipients():
    case("x25519", done(plain()))
    case("x25519_grease", done(plain().stanza(["grease", "a", "b"], bytes(100)).x25519(b"\7" * 32, listed=False)))
    case("x25519_multiple_recipients", done(Vector().x25519(b"\7" * 32, listed=False).x25519()))
    case("x25519_no_match", done(replaced_keys(plain(), [b"\7" * 32])), NO_MATCH)
    case("x25519_lowercase", done(Vector().x25519(name="x25519")), NO_MATCH)
    case("x25519_bad_tag", done(plain().edit(flipped_tag)), NO_MATCH, "the tag of the stanza is wrong")
    case("x25519_extra_argument", done(plain().edit(lambda line: line + " 1234", -2)), HEADER)
    case("x25519_no_share", done(plain().edit(lambda line: "-> X25519", -2)), HEADER)
    case("x25519_short_share", done(plain().edit(lambda line: "-> X25519 " + b64(bytes(31)), -2)), HEADER)
    case("x25519_long_share", done(plain().edit(lambda line: "-> X25519 " + b64(bytes(33)), -2)), HEADER)
    case("x25519_identity", done(Vector().x25519(share=bytes(32))), HEADER, "the share is the point at infinity")
    case("x25519_low_order", done(Vector().x25519(share=LOW_ORDER)), HEADER, "the share is a point of low order")
    case("x25519_long_file_key", done(Vector().x25519(key=b"A LONGER YELLOW SUBMARINE")), HEADER,
         "the file key has 25 bytes")
    case("x25519_not_canonical_body", done(plain().edit(not_canonical)), HEADER)
    case("x25519_not_canonical_share", done(plain().edit(not_canonical, -2)), HEADER)
    case("scrypt", done(Vector().scrypt()))
    case("scrypt_and_x25519", done(Vector().scrypt().x25519()), HEADER, "scrypt stanzas must be alone")
    case("scrypt_double", done(Vector().scrypt().scrypt(passphrase="hunter2")), HEADER)
    case("scrypt_no_match", done(Vector().scrypt(passphrase="hunter2")), NO_MATCH)
    case("scrypt_bad_tag", done(Vector().scrypt().edit(flipped_tag)), NO_MATCH)
    case("scrypt_uppercase", done(Vector().scrypt(name="Scrypt")), NO_MATCH)
    case("scrypt_extra_argument", done(Vector().scrypt().edit(lambda line: line + " 10", -2)), HEADER)
    case("scrypt_long_file_key", done(Vector().scrypt(key=b"A LONGER YELLOW SUBMARINE")), HEADER)
    case("scrypt_not_canonical_body", done(Vector().scrypt().edit(not_canonical)), HEADER)
    case("scrypt_not_canonical_salt", done(Vector().scrypt().edit(
        lambda line: " ".join(not_canonical(part) if at == 2 else part for at, part in enumerate(line.split(" "))),
        -2)), HEADER)
    case("scrypt_salt_missing", done(Vector().scrypt().edit(lambda line: "-> scrypt 10", -2)), HEADER)
    case("scrypt_salt_short", done(Vector().scrypt(salt=15)), HEADER)
    case("scrypt_salt_long", done(Vector().scrypt(salt=17)), HEADER)
    case("scrypt_work_factor_wrong", done(Vector().scrypt(11, "10")), NO_MATCH)
    case("scrypt_work_factor_missing",
         done(Vector().scrypt().edit(lambda line: line.rsplit(" ", 1)[0], -2)), HEADER)
    for name, written in {
        "23": "23", "hex": "0xa", "negative": "-10", "zero": "0", "leading_plus": "+10", "leading_garbage": "a10",
        "trailing_garbage": "10a", "leading_zero_decimal": "010", "leading_zero_octal": "012",
        "overflow": "18446744073709551626",
    }.items():
        case("scrypt_work_factor_" + name, done(Vector().scrypt(written=written)), HEADER)


def replaced_keys(vector, keys):
    vector.keys = keys
    return vector


def flipped_tag(line):
    body = bytearray(base64.b64decode(line + "="))
    body[-1] ^= 0xff
    return b64(body)


def headers():
    case("hmac_bad", plain().mac(flip=0xff).payload(), MAC)
    case("hmac_extra_space", plain().mac(lambda line: line.replace("--- ", "---  ")).payload(), HEADER)
    case("hmac_garbage", plain().mac(lambda line: line + "AAAA").payload(), HEADER)
    case("hmac_missing", plain().mac(lambda line: "---").payload(), HEADER)
    case("hmac_no_space", plain().mac(lambda line: line.replace("--- ", "---")).payload(), HEADER)
    case("hmac_not_canonical", plain().mac(not_canonical).payload(), HEADER)
    case("hmac_trailing_space", plain().mac(lambda line: line + " ").payload(), HEADER)
    case("hmac_truncated", plain().mac(lambda line: line[:-3]).payload(), HEADER)
    case("header_crlf", crlf(plain()), HEADER)
    case("version_unsupported", done(plain().edit(lambda line: "age-encryption.org/v1234", 0)), HEADER)
    empty = Vector()
    empty.keys, empty.file = [empty.identity], lambda: b""
    case("empty", empty, HEADER)
    none = Vector()
    none.keys = [none.identity]
    case("no_stanzas", done(none), HEADER)
    stanza = "-> stanza"
    full = "A" * 64

    def lines(*text):
        vector = plain()
        vector.lines += text
        return done(vector)

    visible = "".join(chr(code) for code in range(0x21, 0x7f))
    case("stanza_valid_characters", lines(f"-> {visible} {visible}", ""))
    case("stanza_empty_body", lines("-> empty", ""))
    case("stanza_empty_last_line", lines(stanza, full, ""))
    case("stanza_bad_start", lines("--> stanza", "AAAA"), HEADER)
    case("stanza_base64_padding", lines(stanza, "QQ=="), HEADER)
    case("stanza_empty_argument", lines("-> stanza  argument", ""), HEADER)
    case("stanza_trailing_space", lines("-> stanza ", ""), HEADER)
    case("stanza_invalid_character", lines("-> stan\u007fza", ""), HEADER)
    case("stanza_tab", lines("-> stanza\targument", ""), HEADER)
    case("stanza_not_ascii", lines("-> stänza", ""), HEADER)
    case("stanza_long_line", lines(stanza, "A" * 68, ""), HEADER)
    case("stanza_missing_body", lines(stanza), HEADER)
    case("stanza_missing_final_line", lines(stanza, full), HEADER)
    case("stanza_multiple_short_lines", lines(stanza, "AAAA", "AAAA"), HEADER)
    case("stanza_no_arguments", lines("->", ""), HEADER)
    case("stanza_no_type", lines("-> ", ""), HEADER)
    case("stanza_not_canonical", lines(stanza, "QR"), HEADER)
    case("stanza_impossible_length", lines(stanza, "AAAAA"), HEADER)
    case("stanza_spurious_cr", lines(stanza, "AAAA\r"), HEADER)
    case("stanza_whitespace_in_body", lines(stanza, "AA AA"), HEADER)


def crlf(vector):
    vector.lines = [line + "\r" for line in vector.lines]
    return vector.mac(lambda line: line + "\r").payload()


def streams():
    case("stream_empty_payload", plain().mac().payload(b""))
    for name, change in {
        "stream_no_nonce": lambda body: b"", "stream_short_nonce": lambda body: body[:12],
        "stream_no_chunks": lambda body: body[:16], "stream_missing_tag": lambda body: body[:-16],
        "stream_bad_tag": lambda body: body[:-1] + bytes([body[-1] ^ 0xff]),
        "stream_short_chunk": lambda body: body[:-1],
        "stream_trailing_garbage_short": lambda body: body + b"garbage",
    }.items():
        vector = done(plain())
        vector.body = change(vector.body)
        case(name, vector, PAYLOAD)
    vector = plain().mac()
    nonce = vector.random(16)
    vector.body = nonce + seal(hkdf(vector.file_key, nonce, b"payload"), bytes(12), SHORT)
    case("stream_no_final", vector, PAYLOAD, "the only chunk is not marked as final")


def armors():
    def armored(change=lambda lines: lines, end="\n"):
        return done(plain()).armor(change, end)

    def replace(at, change):
        return lambda lines: lines[:at] + [change(lines[at])] + (lines[at:][1:])

    def insert(at, *text):
        return lambda lines: lines[:at] + list(text) + lines[at:]

    last = -2
    case("armor", armored())
    case("armor_crlf", armored(end="\r\n"))
    case("armor_scrypt", Vector().scrypt().mac().payload().armor())
    case("armor_no_match", replaced_keys(armored(), [b"\7" * 32]), NO_MATCH)
    case("armor_header_crlf", crlf(plain()).armor(), HEADER)
    # This plaintext makes the file a multiple of 48 bytes.
    case("armor_full_last_line", plain().mac().payload(LONG).armor())
    case("armor_empty_last_line", plain().mac().payload(LONG).armor(insert(-1, "")), ARMOR)
    no_eol = armored()
    no_eol.text = no_eol.text[:-1]
    case("armor_no_eol", no_eol)
    case("armor_whitespace_outside", armored(lambda lines: ["", "   \t"] + lines + ["", "   \t"]))
    empty = armored(lambda lines: [lines[0], lines[-1]])
    case("armor_empty", empty, HEADER)
    case("armor_empty_line_begin", armored(insert(1, "")), ARMOR)
    case("armor_empty_line_end", armored(insert(-1, "")), ARMOR)
    case("armor_eol_between_padding", wide_padding("=\n="), ARMOR)
    case("armor_garbage_leading", armored(insert(0, "garbage")), ARMOR)
    case("armor_garbage_trailing", armored(lambda lines: lines + ["garbage"]), ARMOR)
    case("armor_headers", armored(insert(1, "Headers: are not allowed", "")), ARMOR)
    case("armor_invalid_character_header", armored(replace(0, lambda line: line.replace("FILE", "F\x01LE"))), ARMOR)
    case("armor_invalid_character_payload", armored(replace(2, lambda line: "*" + line[1:])), ARMOR)
    case("armor_long_line", armored(lambda lines: [lines[0], lines[1] + lines[2][:4], lines[2][4:]] + lines[3:]), ARMOR)
    case("armor_short_line", armored(lambda lines: [lines[0], lines[1][:60], lines[1][60:] + lines[2]] + lines[3:]),
         ARMOR)
    case("armor_lowercase", armored(replace(0, str.lower)), ARMOR)
    case("armor_no_end_line", armored(lambda lines: lines[:-1]), ARMOR)
    case("armor_no_padding", wide_padding(""), ARMOR)
    case("armor_not_canonical", wide_padding("==", not_canonical), ARMOR)
    case("armor_pgp_checksum", armored(insert(-1, "=GcB9")), ARMOR)
    case("armor_two_files", armored(lambda lines: lines + lines), ARMOR)
    case("armor_whitespace_begin", armored(replace(0, lambda line: "----- BEGIN AGE ENCRYPTED FILE -----")), ARMOR)
    case("armor_whitespace_end", armored(replace(-1, lambda line: "----- END AGE ENCRYPTED FILE -----")), ARMOR)
    case("armor_whitespace_eol", armored(replace(1, lambda line: line + " ")), ARMOR)
    case("armor_whitespace_last_line", armored(replace(last, lambda line: line + " ")), ARMOR)
    case("armor_whitespace_line_start", armored(replace(2, lambda line: " " + line)), ARMOR)
    case("armor_wrong_type", armored(lambda lines: [line.replace("AGE ENCRYPTED FILE", "MESSAGE") for line in lines]),
         ARMOR)


def wide_padding(padding, change=lambda text: text):
    """An armored file of 48 * n + 1 bytes, whose last line ends with `padding` instead of ==."""
    size = (1 - len(done(plain()).file())) % 48 + len(SHORT)
    return plain().mac().payload(b"a" * size).armor(
        lambda lines: lines[:-2] + [change(lines[-2].rstrip("=")) + padding, lines[-1]])


def main():
    for write in (recipients, headers, streams, armors):
        write()
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, contents in vectors.items():
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(contents)
    print(f"{len(vectors)} vectors")


main()
