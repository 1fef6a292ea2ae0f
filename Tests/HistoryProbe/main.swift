// A session for tests that kill it, fill its disk or measure its cost.
//
//   HistoryProbe write DATABASE EVENTS-PER-SECOND SECONDS
//   HistoryProbe verify DATABASE
//   HistoryProbe lock DATABASE PROFILE
//   HistoryProbe open DATABASE
//   HistoryProbe delete DATABASE
//
// Prints one line per result.
import Glibc
import HeartRate
import History
import Stress

let arguments = CommandLine.arguments
let environment = ["XDG_RUNTIME_DIR": arguments[2] + ".run", "XDG_DATA_HOME": arguments[2] + ".data"]
let location = try StoreLocation(path: arguments[2], environment: environment)

switch arguments[1] {
case "write": try await write(rate: Int(arguments[3]) ?? 1, seconds: Int(arguments[4]) ?? 1)
case "verify": try verify()
case "open": _ = try HistoryWriter(location)
case "delete":
  let eraser = HistoryEraser(location)
  report("deleting")
  _ = try eraser.delete(.everything, today: 0, at: WallTime(microseconds: 0))
  sleep(600)
case "lock":
  let lock = try MeasurementLock(
    .profile(arguments[3]), profile: arguments[3], at: location, since: WallTime(microseconds: 0))
  report("locked", lock.isProtected)
  sleep(600)
default: exit(64)
}

func write(rate: Int, seconds: Int) async throws {
  var random = SystemRandomNumberGenerator()
  let started = WallTime(microseconds: 1_800_000_000_000_000)
  let session = SessionInfo(
    id: SessionID(started: started, using: &random), profile: "me", source: .simulated, started: started,
    zone: "Europe/Berlin", utcOffset: 3600, monotonicNanoseconds: 0, settings: StressEngine.Settings(),
    baseline: .populationDefault, programVersion: "probe")
  let writer = SessionWriter(session, at: location)
  let reporting = Task { for await status in writer.statusChanges { report(status) } }
  var engine = StressEngine()
  let ticksApart = RRInterval.ticksPerSecond / Int64(rate)
  let burst = max(1, rate / 100)
  for index in 0..<rate * seconds {
    let event = numbered(index, every: ticksApart, since: started)
    writer.append(event)
    engine.update(event) { writer.append($0) }
    if index % burst == 0 {
      if case .saved(let time) = writer.status { report("saved", time.ticks / ticksApart, "of", index) }
      usleep(useconds_t(1_000_000 * burst / rate))
    }
  }
  let unsaved = await writer.finish(at: SessionTime(ticks: ticksApart * Int64(rate * seconds)))
  await reporting.value
  report("unsaved", unsaved?.events.count ?? 0)
  reportCost(events: rate * seconds)
}

func numbered(_ index: Int, every ticks: Int64, since started: WallTime) -> SessionEvent {
  let at = SessionTime(ticks: ticks * Int64(index))
  let rr = 700 + index * 37 % 200
  return SessionEvent(
    at: at, wall: started.advanced(ticks: at.ticks),
    .notification(payload: [0x10, UInt8(truncatingIfNeeded: index), UInt8(rr & 255), UInt8(rr >> 8)]))
}

func report(_ status: SessionWriter.Status) {
  switch status {
  case .starting: report("starting")
  case .saved: report("saving again")
  case .waiting(let error, let events): report("waiting \(error.code.rawValue) \(events)")
  }
}

func reportCost(events: Int) {
  var usage = rusage()
  getrusage(RUSAGE_SELF.rawValue, &usage)
  let cpu =
    usage.ru_utime.tv_sec * 1_000_000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_sec * 1_000_000
    + usage.ru_stime.tv_usec
  report("cpu_us_per_event", cpu / max(events, 1), "peak_kb", usage.ru_maxrss)
}

func verify() throws {
  guard let reader = try HistoryReader(location) else { return report("nothing stored") }
  for fault in try reader.integrityFaults() { report("fault", fault) }
  for session in try reader.sessions(limit: 10) {
    let events = reader.events(of: session.info.id)
    var last = -1
    var isWhole = true
    for event in events {
      guard case .notification(let payload) = event.kind else { continue }
      last += 1
      if payload[1] != UInt8(truncatingIfNeeded: last) { isWhole = false }
    }
    report(
      "session", session.outcome?.rawValue ?? "open", "events", last + 1,
      isWhole && events.failure == nil ? "whole" : "broken",
      "measurements", session.measurements, "bytes", try reader.contents().bytes)
  }
}

/// Prints one line without buffering, because the process may be killed.
func report(_ values: Any...) {
  let line = values.map { "\($0)" }.joined(separator: " ") + "\n"
  _ = Array(line.utf8).withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
}
