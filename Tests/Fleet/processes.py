"""Processes and their descendants in /proc: signals, CPU time and memory."""
import os

TICKS = os.sysconf("SC_CLK_TCK")


def _status(pid):
    """The fields of /proc/PID/stat after the name of the program, from the state on."""
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()


def process_tree(pid):
    """A process and its descendants."""
    found, children = [pid], {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                children.setdefault(int(_status(entry)[1]), []).append(int(entry))
            except OSError:
                continue
    for parent in found:
        found += children.get(parent, [])
    return found


def signal_all(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            continue


def processor_time(processes):
    """CPU seconds of processes and their descendants, including those that ended."""
    total = 0
    for process in processes:
        for pid in process_tree(process.pid):
            try:
                fields = _status(pid)
                total += sum(map(int, fields[11:13] if pid != process.pid else fields[11:15]))
            except OSError:
                continue
    return total / TICKS


def memory(processes, key="VmRSS"):
    """The memory in MB of the largest of some processes and their descendants: VmRSS now, VmHWM at most so far."""
    sizes = [0]
    for pid in [pid for process in processes for pid in process_tree(process.pid)]:
        try:
            with open(f"/proc/{pid}/status") as file:
                sizes += [int(line.split()[1]) / 1000 for line in file if line.startswith(key)]
        except OSError:
            continue
    return round(max(sizes), 1)
