"""Receivers are revoked and invited again while the fleet runs."""
import json
import os
import subprocess

from polling import wait_for
from receivers import HOSTILE


def revoked_receiver(test):
    """A receiver loses its user, and gets another key."""
    fleet = test.fleet
    _write_apply_program(test)
    revoke = [fleet.program, "collect", "revoke", test.receiver.name, "--from", fleet.study, "--users", fleet.users]
    result = subprocess.run(revoke, text=True, capture_output=True)
    test.check("revoke: exit code 0", result.returncode == 0, result)
    test.record("10m")
    test.check("revoke: the publisher reports it", wait_for(lambda: "Authorization" in _log(test), 30), _log(test)[-300:])
    test.check("revoke: nothing is published, and the collector continues",
               test.stored() < test.recorded() and test.health()["error"] is None, test.health())
    test.fails("revoke of an unknown receiver", subprocess.run(revoke, text=True, capture_output=True), "contains no receiver", 64)
    result = test.receiver.enroll(fleet.invite(test.receiver.name))
    test.check("another invitation: enrolled", result.returncode == 0 and "enrolled as R1" in result.stderr, result)
    setting = json.loads(test.receiver.call("config", "show", "--json"))["publish"]
    test.check("another invitation: one target of the study", setting.count("/rest?receiver=R1") == 1, setting)
    test.stop_publisher()
    test.start_publisher()
    test.arrives("another invitation")


def _log(test):
    with open(test.receiver.machine.file("publish.log")) as file:
        return file.read()


def _write_apply_program(test):
    """The program that `collect invite` and `revoke` run: it gives the users to all servers."""
    path, others = (os.path.join(test.fleet.folder, name) for name in ("apply-users", "test-users"))
    # The users of the tests remain.
    with open(others, "w") as file:
        file.write("\n".join(test.fleet.users_with_passwords([test.receiver.name, HOSTILE]).splitlines()[-3:]) + "\n")
    servers = "".join(f"{{ sed '$ d' $1; cat {others}; }} > {server.machine.file('users.conf')}; kill -HUP {server.process.pid}\n"
                      for server in test.fleet.log.servers)
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o755), "w") as file:
        file.write(f"#!/bin/sh -eu\n{servers}")
