"""Machines of a fleet: network namespaces on one bridge, which belong to the namespace of this process."""
import os
import signal
import subprocess

PREFIX = "10.99.0."


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


class Network:
    """The bridge `lab`. The process is on it with the address 10.99.0.254."""

    def __init__(self):
        os.makedirs("/run/netns", exist_ok=True)
        run("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "lab", "type", "bridge")
        run("ip", "address", "add", PREFIX + "254/24", "dev", "lab")
        run("ip", "link", "set", "lab", "up")


class Machine:
    """A network namespace with one address, and the processes in it."""

    def __init__(self, name, number, folder):
        self.name, self.address, self.folder = name, f"{PREFIX}{number}", os.path.join(folder, name)
        self.processes = []
        os.makedirs(self.folder, mode=0o755, exist_ok=True)
        run("ip", "netns", "add", name)
        run("ip", "link", "add", "v-" + name, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", "v-" + name, "master", "lab", "up")
        run("ip", "-n", name, "address", "add", self.address + "/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            run("ip", "-n", name, "link", "set", device, "up")

    def file(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """Writes a file that only its owner can read."""
        with open(os.open(self.file(name), os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)

    def _inside(self, command, user):
        prefix = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"] if user else []
        return ["ip", "netns", "exec", self.name, *prefix, *command]

    def _environment(self, more):
        """The home directory is the machine's, so that no settings of the user apply."""
        return {**os.environ, "HOME": self.folder, **(more or {})}

    def start(self, command, log, environment=None, user=None):
        """Starts a process whose output is appended to the file `log`."""
        with open(self.file(log), "a") as output:
            process = subprocess.Popen(
                self._inside(command, user), stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.folder,
                env=self._environment(environment))
        self.processes.append(process)
        return process

    def attempt(self, command, environment=None, user=None, seconds=60):
        """Runs a command to its end, and returns its exit code and output; the exit code 124 after `seconds`."""
        try:
            return subprocess.run(
                self._inside(command, user), text=True, capture_output=True, cwd=self.folder,
                env=self._environment(environment), timeout=seconds)
        except subprocess.TimeoutExpired as error:
            return subprocess.CompletedProcess(command, 124, "", str(error))

    def call(self, command, environment=None, user=None):
        """Runs a command that must succeed, and returns its standard output."""
        result = self.attempt(command, environment, user, seconds=None)
        if result.returncode != 0:
            raise RuntimeError(f"{self.name}: {' '.join(command)}: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout

    def connect(self, connected=True):
        """Connects the machine to the network, or disconnects it."""
        run("ip", "link", "set", "v-" + self.name, "up" if connected else "down")

    def disconnect(self):
        self.connect(False)

    def limit_rate(self, rate):
        """Limits the rate of the network in both directions, such as `128kbit`; None for no limit.

        Many kernels contain the qdisc tbf, but not netem."""
        inside = ["ip", "netns", "exec", self.name]
        for prefix, device in (([], "v-" + self.name), (inside, "eth0")):
            action = ["replace", "dev", device, "root", "tbf", "rate", rate, "burst", "8kb", "latency", "300ms"] if rate else [
                "del", "dev", device, "root"]
            run(*prefix, "tc", "qdisc", *action)

    def kill(self, process, number=signal.SIGKILL):
        """Sends a signal to a process and waits for its end if the signal ends it."""
        if process.poll() is None:
            process.send_signal(number)
        if number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            process.wait()

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
        for process in self.processes:
            process.wait()
