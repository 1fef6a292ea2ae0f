import HRV
import HeartRate
import JSONLines
import SessionData
import Stress
import TestSupport
import Testing

@testable import Formats
@testable import Platform
@testable import Recording

/// Written files are read back with the precision of their format.
@Suite struct FormatWritingTests {
  /// Beats of 1/1024 s in bundles, with gaps, as a strap sends them.
  private static func events(seed: UInt64) -> [SessionEvent] {
    var random = SeededGenerator(seed: seed)
    var at = SessionTime.zero
    var events: [SessionEvent] = []
    for _ in 0..<Int.random(in: 1...120, using: &random) {
      let units = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        UInt16.random(in: 300...1400, using: &random)
      }
      for unit in units { at = at + RRInterval(gattUnits: unit) }
      let payload = HeartRateMeasurement(heartRate: 70, rrIntervals: RRIntervals(gattUnits: units)).encoded()
      events.append(SessionEvent(at: at, .notification(payload: payload)))
      guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
      events.append(SessionEvent(at: at, .link(LinkChange(.lost))))
      at = SessionTime(
        ticks: at.ticks + Int64.random(in: 1...200 * RRInterval.ticksPerSecond, using: &random))
      events.append(SessionEvent(at: at, .link(LinkChange(.connected))))
    }
    events.append(SessionEvent(at: at, .end))
    return events
  }

  private static let started = WallTime(rfc3339: "2026-06-01T05:30:00.400000Z") ?? WallTime(microseconds: 0)

  private func only(_ bytes: [UInt8], _ format: FileFormat) throws -> FileSession {
    let scratch = try Scratch()
    guard case .other(let file) = try OpenedFile(path: try scratch.file(bytes)), file.format == format else {
      throw FormatError(.binary, path: "\(format)")
    }
    return try file.onlySession()
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>) func writtenListsAreReadBack(seed: UInt64) throws {
    let events = Self.events(seed: seed)
    let exact = RRSeries(events, longest: RRSeries.longestInText)
    let pieces = RRSeries(events, longest: RRSeries.longestInFile)
    guard !exact.isEmpty else { return }
    let text = try RRText(exact.text, options: RRText.Options(unit: .milliseconds))
    #expect(text.intervals == Array(exact))
    let whole = pieces.milliseconds()
    let fit = try only(pieces.fit(started: Self.started, utcOffset: 7200), .fit)
    #expect(fit.rr.map(\.milliseconds) == whole.map(Double.init))
    #expect(
      fit.start == .absolute(WallTime(microseconds: Self.started.microseconds - 400_000), utcOffset: 7200))
    let hrm = try only(pieces.hrm(started: Self.started, utcOffset: 7200), .hrm)
    #expect(hrm.rr == fit.rr)
    #expect(hrm.start == WallTime(rfc3339: "2026-06-01T07:30:00.400000Z").map { .local($0) })
    // Beats and gaps fill the time from the first beat to the last.
    let total = exact.reduce(0) { $0 + $1.ticks }
    #expect(total == pieces.reduce(0) { $0 + $1.ticks })
  }

  @Test("A gap becomes intervals above the longest RR") func gaps() {
    func beat(_ at: Int64) -> SessionEvent {
      SessionEvent(
        at: SessionTime(ticks: at * RRInterval.ticksPerSecond), .notification(payload: [0x10, 60, 0, 4]))
    }
    let list = RRSeries([beat(1), beat(2), beat(152), beat(153)], longest: RRSeries.longestInFile)
    #expect(list.map(\.milliseconds) == [1000, 1000, 60_000, 60_000, 29_000, 1000, 1000])
  }

  @Test(arguments: ["me", "a, b", "\"q\"", "x\",\"y"], [1, 2] as [UInt64])
  func writtenTablesAreReadBack(profile: String, seed: UInt64) throws {
    var stream = BeatStream(classification: .none)
    var beats: [Beat] = []
    for event in Self.events(seed: seed) {
      stream.update(event) { if case .beat(let beat) = $0 { beats.append(beat) } }
    }
    let rows = BeatTable.rows(of: beats, session: "01K", profile: profile, started: Self.started)
    let session = try only(BeatTable.headingLine + rows, .csv)
    #expect(session.rr == beats.map(\.rr))
    #expect(session.events.dropLast().map(\.at) == beats.map(\.end))
    #expect(session.header?.profile == profile && session.header?.session == "01K")
    #expect(session.start == .absolute(Self.started, utcOffset: nil))
  }

  @Test("A beat of the first notification can end before the session starts") func beatsOfBefore() throws {
    let rows = """
      01K,me,2026-06-01T07:29:59.500000Z,-0.5,800,normal
      01K,me,2026-06-01T07:30:00.300000Z,0.3,800,normal

      """
    let session = try only(BeatTable.headingLine + Array(rows.utf8), .csv)
    #expect(session.events.map(\.at.seconds) == [0, 0.8, 0.8])
    #expect(
      session.start == WallTime(rfc3339: "2026-06-01T07:29:59.5Z").map { .absolute($0, utcOffset: nil) })
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func writtenSessionLinesAreReadBackExactly(seed: UInt64)
    throws
  {
    let header = RecordingHeader(
      session: "01K", profile: "me\u{1}\"", strap: StrapIdentity(address: "C0:00:00:00:00:01", name: "H10"),
      started: Self.started, zone: "+02:00", settings: .init(window: .seconds(90), metric: .sdnn),
      program: "0.1.0")
    let provenance = SessionProvenance(
      source: "strap", utcOffset: 7200, monotonicNanoseconds: .max, isFinished: true, ended: Self.started,
      readings: seed % 3 == 0 ? nil : (0..<Int64(seed % 3)).map { SessionTime(ticks: $0 * 123_456_789 + 1) })
    var events = Self.events(seed: seed)
    events[0].wall = Self.started
    var line = JSONLine()
    SessionLines.write(header, provenance, to: &line)
    for event in events { SessionLines.write(event, to: &line) }
    let scratch = try Scratch()
    guard case .other(let file) = try OpenedFile(path: try scratch.file(line.bytes)) else { return }
    guard RRSeries(events, longest: RRSeries.longestInText).isEmpty == false else { return }
    let session = try file.onlySession()
    #expect(session.events == events && session.header == header && session.provenance == provenance)
  }

  @Test func sessionLinesAreParsedInPieces() throws {
    let header = RecordingHeader(session: "01K", profile: "me", started: Self.started)
    let provenance = SessionProvenance(readings: [SessionTime(ticks: 4_800_000_001)])
    let events = Self.events(seed: 3)
    var (line, pieces) = (JSONLine(), [[UInt8]]())
    SessionLines.write(header, provenance, to: &line)
    for event in events {
      SessionLines.write(event, to: &line)
      guard line.bytes.count > 100 else { continue }
      pieces.append(line.bytes)
      line.clear()
    }
    var parser = SessionLineParser(path: "lines")
    var found: [SessionEvent] = []
    for piece in pieces + [line.bytes] {
      parser.append(piece[...])
      while let next = try parser.next() {
        switch next {
        case .header(let session):
          #expect(session.header == header && session.provenance == provenance && session.events.isEmpty)
        case .event(let event): found.append(event)
        }
      }
    }
    #expect(pieces.count > 2 && found == events)
    var fingerprint = SessionFingerprint(start: .absolute(Self.started, utcOffset: nil))
    for event in events { fingerprint.add(event) }
    var session = FileSession(events: events)
    session.start = .absolute(Self.started, utcOffset: 3600)
    #expect(fingerprint.bytes == session.fingerprint)
  }

  @Test(arguments: ["1", "[60]", "[{}]", "[{\"monotonic_s\":-1}]", "[{\"monotonic_s\":\"60\"}]"])
  func malformedReadingsAreRejected(value: String) throws {
    var line = JSONLine()
    SessionLines.write(
      RecordingHeader(session: "01K", profile: "me"), SessionProvenance(readings: []), to: &line)
    let text = String(decoding: line.bytes, as: UTF8.self).replacing(
      "\"readings\":[]", with: "\"readings\":\(value)")
    var parser = SessionLineParser(path: "lines")
    parser.append(Array(text.utf8)[...])
    #expect(throws: RecordingError.self) { _ = try parser.next() }
  }

  @Test("The fingerprint depends only on start time and events") func fingerprints() {
    let events = Self.events(seed: 3)
    let session = FileSession(start: .local(Self.started), events: events)
    var other = session
    other.skipped = 7
    #expect(other.fingerprint == session.fingerprint && session.fingerprint.count == 16)
    other.start = nil
    #expect(other.fingerprint != session.fingerprint)
    var seen: Set<[UInt8]> = [session.fingerprint]
    for index in events.indices {
      var changed = session
      changed.events[index].at = SessionTime(ticks: changed.events[index].at.ticks + 1)
      #expect(seen.insert(changed.fingerprint).inserted)
    }
    for seed in 4...60 as ClosedRange<UInt64> {
      #expect(seen.insert(FileSession(events: Self.events(seed: seed)).fingerprint).inserted)
    }
  }
}
