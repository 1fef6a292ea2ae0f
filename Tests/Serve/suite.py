"""The tests of one file: their registration, their assertions, and their run."""
import sys

tests = []


def test(function):
    tests.append(function)
    return function


def expect(value, expected, what=""):
    if value != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {value!r}")


def run(subject):
    """Passes the subject to the tests that the arguments name after the program, or to all. Returns the number of failures."""
    names, failures = sys.argv[2:], 0
    for function in tests:
        if names and function.__name__ not in names:
            continue
        try:
            function(subject)
            print(f"passed: {function.__name__}")
        except Exception as error:  # every failure is reported with the name of its test
            failures += 1
            print(f"FAILED: {function.__name__}: {error!r}")
    return failures
