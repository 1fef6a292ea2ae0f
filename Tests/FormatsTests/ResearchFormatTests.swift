import FoundationEssentials
import HRV
import HeartRate
import SessionData
import TestSupport
import Testing

@testable import Formats
@testable import Platform

/// Sessions in EDF+, WFDB, BIDS and Open mHealth have the same RR intervals when they are read back.
@Suite struct ResearchFormatTests {
  static let formats: [FileFormat] = [.edf, .wfdb, .bids, .openMHealth]

  @Test(arguments: formats, 1...6 as ClosedRange<UInt64>)
  func intervalsAreReadBackExactly(format: FileFormat, seed: UInt64) throws {
    let sample = ResearchSample(seed: seed)
    let read = try sample.readBack(format)
    let peaks = sample.session.chain
    #expect(read.rr == sample.rr)
    #expect(read.gaps == peaks.gaps.count)
    #expect(read.events.map(\.at) == read.events.map(\.at).sorted())
    #expect(read.events.last?.kind == .end)
  }

  @Test("The start of the session is kept, to the precision of the format")
  func starts() throws {
    let sample = ResearchSample(seed: 5)
    let local = try #require(WallTime(rfc3339: "2026-06-01T07:29:59.400001Z"))
    #expect(try sample.readBack(.edf).start?.reading == local)
    #expect(try sample.readBack(.wfdb).start?.reading == local)
    #expect(try sample.readBack(.bids).start == .absolute(sample.session.started, utcOffset: 7200))
    #expect(
      try sample.readBack(.openMHealth).start?.reading.microseconds ?? 0 > sample.session.started.microseconds
    )
  }

  @Test("Notes and the end are kept where the format has them", arguments: [FileFormat.edf, .wfdb, .bids])
  func marks(format: FileFormat) throws {
    let sample = ResearchSample(seed: 3)
    let read = try sample.readBack(format)
    let notes = read.events.compactMap { if case .mark(let text) = $0.kind { text } else { nil } }
    let special =
      format == .bids ? ["QRS", "## time resolution: 7"] : ["mark: QRS", " ## time resolution: 7"]
    #expect(notes.count == 3 && notes[1] == "coffee, äö\t\u{1}\"x\"".withoutControlCharacters)
    #expect(notes[0] == special[0] && notes[2].hasSuffix("## time resolution: 7"))
    #expect((read.events.last?.at.seconds ?? 0) - sample.session.end.seconds < 0.001)
  }

  @Test("A beat that ends before the session starts moves the start", arguments: formats)
  func beatsOfBefore(format: FileFormat) throws {
    let events = [
      SessionEvent(
        at: SessionTime(ticks: 8_000_000), .notification(payload: [0x10, 60, 0, 4, 0, 4, 0, 4]))
    ]
    let read = try ResearchSample(events: events).readBack(format)
    #expect(read.rr.map(\.milliseconds) == [1000, 1000, 1000])
    #expect(read.events.allSatisfy { $0.at >= .zero })
  }

  @Test("The unit of WFDB times is the coarsest in which all intervals are integers")
  func frequencies() {
    func frequency(_ milliseconds: [Double]) -> Int64 {
      var at = SessionTime.zero
      let events = milliseconds.compactMap { RRInterval(milliseconds: $0) }.map { rr in
        at = at + rr
        return SessionEvent(at: at, .interval(rr))
      }
      return WFDBWriter(ResearchSample(events: events).session).frequency
    }
    #expect(frequency([800, 801]) == 1000)
    #expect(frequency([800.78125, 1000]) == 1024)
    #expect(frequency([800.1, 801]) == 10_000)
    #expect(frequency([800.0001, 801]) == 80_000_000)
  }

  @Test("An EDF+ file is continuous unless seconds have no data")
  func continuity() throws {
    let beat: [UInt8] = [0x10, 60, 0, 4]
    func kind(_ seconds: [Int64]) throws -> String {
      let events = seconds.map {
        SessionEvent(at: SessionTime(ticks: $0 * RRInterval.ticksPerSecond), .notification(payload: beat))
      }
      let bytes = try ResearchSample(events: events).edf()
      return String(decoding: bytes[192..<197], as: UTF8.self)
    }
    #expect(try kind([1, 2, 3]) == "EDF+C")
    #expect(try kind([1, 2, 30]) == "EDF+D")
  }

  @Test("Every record of an EDF+ file has its length, and two zero bytes after its annotations")
  func recordLengths() throws {
    let sample = ResearchSample(seed: 8)
    let bytes = try sample.edf()
    let scratch = try Scratch()
    var stream = ByteStream(try ByteSource(path: try scratch.file(bytes)))
    let header = try EDFHeader(&stream) { FormatError(.malformed(.edf, .byte($1), $0), path: "") }
    let range = try #require(header.annotations.first)
    let count = try #require(header.recordCount)
    #expect(bytes.count == stream.offset + count * header.recordLength && count > 20)
    for record in 0..<count {
      let start = stream.offset + record * header.recordLength + range.lowerBound
      #expect(bytes[(start + range.count - 2)..<(start + range.count)].elementsEqual([0, 0]))
      #expect(bytes[start] == UInt8(ascii: "+"))
    }
  }
}

// MARK: - Signals

extension ResearchFormatTests {
  @Test("Samples of a regular stream are on the grid, unchanged and in order")
  func samplesOnTheGrid() throws {
    let sample = ResearchSample(seed: 4)
    let track = try #require(sample.session.tracks.first { $0.stream == .ecg })
    #expect(track.rate == 130 && track.segments.count == 2)
    var sampler = GridSampler(track, origin: 0)
    var found: [(Int64, Double)] = []
    for event in sample.events { sampler.update(event) { found.append(($0, $1[0])) } }
    let values = found.map(\.1)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.0 < $1.0 })
    // The samples count up, apart from the gap and the repeated and omitted ones.
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    #expect(steps.filter { $0 == 1 }.count > steps.count * 98 / 100)
    #expect(abs(found.count - sample.ecgCount) < sample.ecgCount / 50)
  }

  @Test("ECG in an EDF+ file is in microvolts, with -32768 for missing samples")
  func electrocardiogram() throws {
    let sample = ResearchSample(seed: 4)
    let bytes = try sample.edf()
    let labels = (0..<6).map {
      String(decoding: bytes[(256 + 16 * $0)..<(256 + 16 * $0 + 16)], as: UTF8.self).split(separator: " ")[0]
    }
    #expect(labels == ["RR", "ECG", "AccX", "AccY", "AccZ", "EDF"])
    let scratch = try Scratch()
    var stream = ByteStream(try ByteSource(path: try scratch.file(bytes)))
    let header = try EDFHeader(&stream) { FormatError(.malformed(.edf, .byte($1), $0), path: "") }
    var ecg: [Int16] = []
    for record in 0..<(header.recordCount ?? 0) {
      let start = stream.offset + record * header.recordLength + 2 * EDFSignal.tachogramRate
      ecg += stride(from: start, to: start + 260, by: 2).map {
        Int16(bitPattern: bytes.littleEndian16(at: $0))
      }
    }
    let values = ecg.filter { $0 != .min }
    #expect(abs(values.count - sample.ecgCount) < sample.ecgCount / 50)
    #expect(values.first == 0 && Int(values.last ?? 0) >= sample.ecgCount - 2)
  }
}

/// A session with gaps, notes, electrocardiogram and acceleration.
struct ResearchSample {
  let events: [SessionEvent]
  let session: ResearchSession
  private(set) var ecgCount = 0

  private static let started = WallTime(rfc3339: "2026-06-01T05:29:59.400001Z") ?? WallTime(microseconds: 0)

  init(events: [SessionEvent]) {
    self.events = events
    session = ResearchSession(events, started: Self.started, utcOffset: 7200)
  }

  /// Beats of 1/1024 s in bundles, with gaps, as a strap sends them.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var at = SessionTime(ticks: 3 * RRInterval.ticksPerSecond)
    var events: [SessionEvent] = [
      SessionEvent(at: SessionTime(ticks: 1000), .mark("QRS")),
      SessionEvent(
        at: SessionTime(ticks: 2000), .stream(SensorStreamChange(.ecg, .started, settings: .init(rate: 130)))),
    ]
    for number in 0..<60 {
      let units = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        UInt16.random(in: 500...1400, using: &random)
      }
      for unit in units { at = at + RRInterval(gattUnits: unit) }
      let payload = HeartRateMeasurement(heartRate: 70, rrIntervals: RRIntervals(gattUnits: units)).encoded()
      events.append(SessionEvent(at: at, .notification(payload: payload)))
      if number == 20 {
        events.append(SessionEvent(at: at, .link(LinkChange(.lost))))
        at = SessionTime(
          ticks: at.ticks + Int64.random(in: 1...90 * RRInterval.ticksPerSecond, using: &random))
        events.append(SessionEvent(at: at, .link(LinkChange(.connected))))
        events.append(SessionEvent(at: at, .mark("coffee, äö\t\u{1}\"x\"")))
      }
      if number == 40 { at = SessionTime(ticks: at.ticks + 7 * RRInterval.ticksPerSecond) }
    }
    events.append(SessionEvent(at: at, .mark("## time resolution: 7")))
    events.append(SessionEvent(at: at, .end))
    let (frames, count) = Self.frames(until: at.seconds)
    events = (events + frames).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    self.init(events: events)
    ecgCount = count
  }

  /// Frames of 0.5 s whose samples count up, with a gap from 20 to 25 s.
  private static func frames(until end: Double) -> (events: [SessionEvent], ecgCount: Int) {
    var events: [SessionEvent] = []
    var count: Int32 = 0
    for number in 1..<Int(end * 2) - 2 where !(40...50).contains(number) {
      let time = UInt64(number) * 500_000_000
      let at = SessionTime(nanoseconds: Int64(time) + 100_000_000)
      let ecg = SensorFrame.encoded(ecg: (0..<65).map { count + $0 }, timestamp: time)
      count += 65
      let acceleration = (0..<25).map { Acceleration(x: Double($0), y: -5, z: 1000) }
      events.append(SessionEvent(at: at, .sensorFrame(payload: ecg)))
      events.append(
        SessionEvent(
          at: at, .sensorFrame(payload: SensorFrame.encoded(acceleration: acceleration, timestamp: time))))
    }
    return (events, Int(count))
  }

  var rr: [RRInterval] { FileSession(events: events).rr }

  func edf() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try EDFWriter(session).write(events) { bytes += $0 }
    return bytes
  }

  /// Writes the session into a folder and returns the path to be opened.
  func write(_ format: FileFormat, in folder: String) throws -> String {
    func put(_ name: String, _ bytes: [UInt8]) throws {
      try Folder.create(Folder.parent(of: "\(folder)/\(name)"))
      try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
    }
    switch format {
    case .wfdb:
      let writer = WFDBWriter(session)
      try put("rest.hea", writer.header(record: "rest"))
      var bytes: [UInt8] = []
      try writer.annotations { bytes += $0 }
      try put("rest.qrs", bytes)
      return "\(folder)/rest.hea"
    case .bids:
      var dataset = try BIDSDataset(program: "0", engine: 3)
      func file(_ name: String, _ content: (ByteSink) throws -> Void) throws {
        var bytes: [UInt8] = []
        try content { bytes += $0 }
        try put(name, bytes)
      }
      try dataset.write(session, events, id: "01K", to: file)
      try dataset.finish(to: file)
      return try #require(FormattedFile.datasetDescription(in: folder))
    case .openMHealth:
      var bytes: [UInt8] = []
      try OpenMHealthWriter(session, id: "01K").write(events) { bytes += $0 }
      try put("rest.json", bytes)
      return "\(folder)/rest.json"
    default:
      try put("rest.edf", try edf())
      return "\(folder)/rest.edf"
    }
  }

  func readBack(_ format: FileFormat) throws -> FileSession {
    let scratch = try Scratch()
    let folder = scratch.path("out")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try write(format, in: folder)
    guard case .other(let file) = try OpenedFile(path: path), file.format == format else {
      throw FormatError(.binary, path: path)
    }
    return try file.onlySession()
  }
}
