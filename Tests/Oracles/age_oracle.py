#!/usr/bin/env python3
"""Encrypts and decrypts files with other implementations of the age format.

    age_oracle.py pyrage encrypt|decrypt key|passphrase SECRET INPUT OUTPUT      needs pyrage (PyPI)
    age_oracle.py age encrypt|decrypt passphrase SECRET INPUT OUTPUT             types the passphrase into Debian's age

SECRET is a recipient, an identity or a passphrase.
"""
import os
import pty
import sys


def with_pyrage(action, kind, secret, data):
    import pyrage

    if kind == "passphrase":
        return getattr(pyrage.passphrase, action)(data, secret)
    key = pyrage.x25519.Recipient if action == "encrypt" else pyrage.x25519.Identity
    return getattr(pyrage, action)(data, [key.from_str(secret)])


def with_age(action, secret, source, target):
    child, terminal = pty.fork()
    if child == 0:
        os.execvp("age", ["age", "-p" if action == "encrypt" else "-d", "-o", target, source])
    prompted = b""
    for _ in range(2 if action == "encrypt" else 1):
        while not prompted.endswith(b": "):
            prompted += os.read(terminal, 1024)
        os.write(terminal, secret.encode() + b"\n")
        prompted = b""
    try:
        while os.read(terminal, 1024):
            pass
    except OSError:
        pass  # The terminal is closed when age exits.
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    program, action, kind, secret, source, target = sys.argv[1:]
    if program == "age":
        sys.exit(with_age(action, secret, source, target))
    with open(source, "rb") as file:
        result = with_pyrage(action, kind, secret, file.read())
    with open(target, "wb") as file:
        file.write(result)


main()
