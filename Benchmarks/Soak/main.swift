/// What hours of one notification a second cost, hour by hour: CPU time and memory of the whole path from the bus to
/// the disk, with the fake bluetoothd in a process of its own.
///
///     Soak HOURS [RATE]
///
/// A day would take a day. So the fake sends RATE notifications a second (1000), and the session's clock is the strap's
/// own: each notification comes when the beat that it tells of ends. Nothing else is shortened or left out. Ends with
/// exit code 1 when a notification is missing, or when more than 2 MB of memory have come to be resident since the
/// session was ten minutes old.

import Glibc
import HeartRate
import TestSupport

let arguments = CommandLine.arguments.dropFirst().compactMap { Double($0) }
guard let hours = arguments.first, hours > 0.2, arguments.count == CommandLine.arguments.count - 1 else {
  say("usage: Soak HOURS [RATE], more than 0.2 hours")
  exit(64)
}
let rate = arguments.count > 1 ? arguments[1] : 1000

let folder = try TemporaryFolder(prefix: "soak")
let truth = StrapTruth(seconds: hours * 3600)
try folder.write(truth.file, to: "rr.txt")
let fake = try Program(
  Program.besideTheTests("fake-bluez"),
  ["--rr-file", folder.file("rr.txt"), "--rate", "\(rate)", "--count", "\(truth.count)"])
let bus = try fake.waitForLine { $0.hasPrefix("DBUS_SYSTEM_BUS_ADDRESS=") }
setenv("DBUS_SYSTEM_BUS_ADDRESS", String(bus.dropFirst("DBUS_SYSTEM_BUS_ADDRESS=".count)), 1)

let session = try SoakedSession(in: folder)
let cost = try await session.run(truth)
fake.signal(SIGTERM)
try fake.waitForExit()

let early = Double(cost.residentEarly) / 1e6
let late = Double(cost.residentLate) / 1e6
say(
  """
  \(truth.count) notifications sent and stored, \(cost.measurements) measurements, \(cost.gaps) gaps.
  Resident after ten minutes \(early.tenths) MB, at the end \(late.tenths) MB: \((late - early).tenths) MB more.
  """)
if late - early > 2 {
  say("That is more than 2 MB.")
  exit(1)
}
