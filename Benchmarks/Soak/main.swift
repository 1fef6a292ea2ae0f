/// CPU time and memory per hour of a session with one notification per second: the whole path from the bus to
/// the disk, with the fake bluetoothd in a separate process.
///
///     Soak HOURS [RATE]
///
/// The fake sends RATE notifications per second (default 1000), and the time of the session is that of the strap: each
/// notification arrives at the end of its beat. Nothing else is shortened or omitted. The exit code is 1 if a
/// notification is missing, or if resident memory has grown by more than 2 MB after the first ten minutes, in sessions of more than
/// two days after the second day.

import Glibc
import HeartRate
import Platform
import TestSupport

let arguments = CommandLine.arguments.dropFirst().compactMap { Double($0) }
guard let hours = arguments.first, hours > 0.2, arguments.count == CommandLine.arguments.count - 1 else {
  printLine("usage: Soak HOURS [RATE], more than 0.2 hours")
  exit(64)
}
let rate = arguments.count > 1 ? arguments[1] : 1000

// As in `stressmon`.
MemoryAllocator.useSingleHeap()
let folder = try TemporaryFolder(prefix: "soak")
let truth = StrapTruth(seconds: hours * 3600)
try folder.write(truth.file, to: "rr.txt")
let fake = try Program(
  Program.besideTheTests("fake-bluez"),
  ["--rr-file", folder.file("rr.txt"), "--rate", "\(rate)", "--count", "\(truth.count)"])
let bus = try fake.waitForLine { $0.hasPrefix("DBUS_SYSTEM_BUS_ADDRESS=") }
setenv("DBUS_SYSTEM_BUS_ADDRESS", String(bus.dropFirst("DBUS_SYSTEM_BUS_ADDRESS=".count)), 1)

let warmUp = hours > 48 ? 48.0 * 3600 : 600
let session = try SoakedSession(in: folder, warmUp: warmUp)
let cost = try await session.run(truth)
fake.signal(SIGTERM)
try fake.waitForExit()

let early = Double(cost.residentEarly) / 1e6
let late = Double(cost.residentLate) / 1e6
printLine(
  """
  \(truth.count) notifications sent and stored, \(cost.measurements) measurements, \(cost.gaps) gaps.
  Resident after \(Int(warmUp / 60)) minutes \(early.tenths) MB, at the end \(late.tenths) MB: \((late - early).tenths) MB more.
  """)
if late - early > 2 {
  printLine("That is more than 2 MB.")
  exit(1)
}
