import Glibc
import HRV
import HeartRate
import History
import Logging
import Recording
import SessionData
import Strap
import Stress
import TestSupport

/// The cost of a session.
struct SoakCost {
  var measurements = 0
  var gaps = 0
  /// Resident memory in bytes after the warm-up, and at the end.
  var residentEarly = 0
  var residentLate = 0
}

/// A session with the components of `live --record`: link, engine, history and recording.
struct SoakedSession {
  private let info: SessionInfo
  private let location: StoreLocation
  private let writer: SessionWriter
  private let recording: RecordingWriter
  private let warmUp: Double

  /// - Parameter warmUp: Session time before the first measurement of memory, in seconds.
  init(in folder: TemporaryFolder, warmUp: Double) throws {
    self.warmUp = warmUp
    let started = WallTime(microseconds: 1_795_000_000_000_000)
    var random = SystemRandomNumberGenerator()
    info = SessionInfo(
      id: SessionID(started: started, using: &random), profile: "me", source: .strap, started: started,
      zone: "Europe/Berlin", utcOffset: 3600, monotonicNanoseconds: 0, settings: StressEngine.Settings(),
      baseline: .populationDefault, programVersion: "soak")
    location = try StoreLocation(
      path: folder.file("soak.db"),
      environment: ["XDG_DATA_HOME": folder.file("data"), "XDG_RUNTIME_DIR": folder.file("run")])
    writer = SessionWriter(info, at: location)
    recording = try RecordingWriter(
      path: folder.file("soak.jsonl"), header: RecordingHeader(session: info.id.text, profile: "me"))
  }

  /// Receives all notifications of `truth`, and prints one line per hour.
  func run(_ truth: StrapTruth) async throws -> SoakCost {
    printLine("hour  notifications  CPU s  resident MB")
    let cost = try await strap.withEvents { events in
      var progress = Progress(started: info.started, warmUp: warmUp)
      for try await event in events {
        take(progress.moved(event, truth), &progress)
        waitForHistory(progress.now)
        if progress.notifications == truth.count { break }
      }
      progress.cost.residentLate = residentMemory()
      return progress.cost
    }
    let unsaved = await writer.finish(at: SessionTime(seconds: 0) ?? .zero)
    try recording.close(at: .zero, wall: info.started)
    try expectStored(truth, unsaved)
    return cost
  }

  /// Waits while the history is more than an hour of the session behind. In real time the buffer of `writer` contains a
  /// second; at a thousand times real time, a slow disk would enlarge it.
  private func waitForHistory(_ now: SessionTime) {
    while case .saved(let stored) = writer.status, now.seconds - stored.seconds > 3600 { usleep(1000) }
  }

  private var strap: BlueZStrap {
    var logger = Logger(label: "soak")
    logger.logLevel = .warning
    return BlueZStrap(.address("C0:00:00:00:00:01"), logger: logger)
  }

  private func take(_ event: SessionEvent, _ progress: inout Progress) {
    writer.append(event)
    recording.append(event)
    progress.update(event) { writer.append($0) }
  }

  private func expectStored(_ truth: StrapTruth, _ unsaved: SessionWriter.Unsaved?) throws {
    var number = 0
    if let events = try HistoryReader(location)?.events(of: info.id) {
      for event in events {
        guard case .notification(let payload) = event.kind else { continue }
        let stored = try HeartRateMeasurement(payload: payload).rrIntervals.first
        guard stored == truth[number] else { throw Missing(number: number) }
        number += 1
      }
    }
    guard number == truth.count, unsaved == nil else { throw Missing(number: number) }
  }

  struct Missing: Error { let number: Int }
}

/// The progress of a session.
private struct Progress {
  var notifications = 0
  var cost = SoakCost()
  private var engine = StressEngine()
  private(set) var now = SessionTime.zero
  private var hour = 0
  private var hourBegan = (notifications: 0, processor: processorSeconds())
  private let started: WallTime
  private let warmUp: Double

  init(started: WallTime, warmUp: Double) { (self.started, self.warmUp) = (started, warmUp) }

  /// The event with the time of the strap, also on the wall clock: the history sums up each quarter of an hour.
  mutating func moved(_ event: SessionEvent, _ truth: StrapTruth) -> SessionEvent {
    if case .notification = event.kind {
      now = now + truth[notifications]
      notifications += 1
    }
    return SessionEvent(at: now, wall: started.advanced(ticks: now.ticks), event.kind)
  }

  mutating func update(_ event: SessionEvent, measured: (StressMeasurement) -> Void) {
    var (gaps, measurements) = (0, 0)
    engine.update(event) {
      if case .gap = $0 { gaps += 1 }
    } measured: {
      measurements += 1
      measured($0)
    }
    cost.gaps += gaps
    cost.measurements += measurements
    if cost.residentEarly == 0, now.seconds >= warmUp { cost.residentEarly = residentMemory() }
    if now.seconds >= Double(hour + 1) * 3600 { endHour() }
  }

  private mutating func endHour() {
    hour += 1
    let processor = processorSeconds()
    let line = [
      "\(hour)".aligned(4), "\(notifications - hourBegan.notifications)".aligned(13),
      (processor - hourBegan.processor).tenths.aligned(5),
      (Double(residentMemory()) / 1e6).tenths.aligned(11),
    ]
    printLine(line.joined(separator: "  "))
    hourBegan = (notifications, processor)
  }
}

/// CPU time of this process, in seconds.
private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Prints a line without buffering, also to a pipe.
func printLine(_ text: String) {
  let line = Array((text + "\n").utf8)
  _ = write(STDOUT_FILENO, line, line.count)
}

extension Double {
  var tenths: String { "\((self * 10).rounded() / 10)" }
}

extension String {
  fileprivate func aligned(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
