import Dispatch
import Glibc
import HeartRate
import LiveSession
import Platform
import Recording
import Stress
import Synchronization
import TestSupport
import Testing

@testable import Session

@Suite struct ProgramSourceTests {
  private static func setup(_ source: ProgramSource, recording: String? = nil) -> SessionSetup {
    var setup = SessionSetup(profile: "me", source: .lines(source), settings: StressEngine.Settings())
    setup.isStored = false
    setup.recording = recording.map { RecordingTarget(path: $0, replacesFile: false) }
    return setup
  }

  /// Runs a session; returns what its display received, its warnings and its failures.
  private static func run(
    _ source: ProgramSource, recording: String? = nil
  ) async throws -> (display: Collector, warnings: [String], failures: [any Error]) {
    let warnings = Mutex<[String]>([])
    let display = Collector()
    let alerts = SessionAlerts(print: nil) { text in warnings.withLock { $0.append(text) } }
    let group = try SessionGroup(setup(source, recording: recording), alerts: alerts) { _ in display }
    let outcome = try await group.run()
    return (display, warnings.withLock { $0 }, outcome.failures.map(\.error))
  }

  /// Beats around 800 ms with time stamps, their number and their first time.
  private static func lines(_ count: Int, from start: Double = 100) -> String {
    var time = start
    return (0..<count).map { index in
      let rr = 800 + 40 * sin(Double(index) / 3) + Double(index * 7919 % 23)
      time += rr / 1000
      return "{\"rr_ms\":[\(rr)],\"t\":\(time)}\n"
    }.joined()
  }

  private static func replayed(_ path: String) async throws -> Collector {
    let display = Collector()
    let events = try RecordingReader(path: path).events { Issue.record("\($0)") }
    try await SessionPipeline(engine: StressEngine(), sinks: [display], endsSession: false).run(
      PacedSource(events, pace: .maximum))
    return display
  }

  @Test func theReplayOfAFileEqualsItsSession() async throws {
    let folder = try TemporaryFolder(prefix: "source")
    let path = try folder.write(Self.lines(200), to: "lines.jsonl")
    let (recording, source) = (folder.file("out.jsonl"), try ProgramSource(path, pace: .maximum))
    let (live, warnings, failures) = try await Self.run(source, recording: recording)
    #expect(warnings.isEmpty && failures.isEmpty)
    let replay = try await Self.replayed(recording)
    #expect(live.names.contains("measurement") && live.names.contains("sensor"))
    #expect(replay.names == live.names)
    #expect(replay.events == live.events)
  }

  @Test func aRecordingAsSourceGivesTheEventsOfTheRecording() async throws {
    let folder = try TemporaryFolder(prefix: "source")
    let first = folder.file("first.jsonl")
    let path = try folder.write(Self.lines(100), to: "lines.jsonl")
    _ = try await Self.run(try ProgramSource(path, pace: .maximum), recording: first)
    let (again, _, failures) = try await Self.run(try ProgramSource(first, pace: .maximum))
    let replay = try await Self.replayed(first)
    #expect(failures.isEmpty)
    #expect(again.names == replay.names && again.events.map(\.at) == replay.events.map(\.at))
    #expect(again.events.map(\.kind) == replay.events.map(\.kind))
  }

  @Test(arguments: ["fifo", "socket"])
  func theReplayOfALiveSourceEqualsItsSession(kind: String) async throws {
    let folder = try TemporaryFolder(prefix: "source")
    let (path, recording) = (folder.file("input"), folder.file("out.jsonl"))
    let listener = kind == "socket" ? Self.listen(at: path) : nil
    if listener == nil { #expect(mkfifo(path, 0o600) == 0) }
    Self.startWriter(Array(Self.lines(60).utf8), to: path, listener: listener)
    let text = kind == "socket" ? "unix:\(path)" : path
    let (live, warnings, failures) = try await Self.run(try ProgramSource(text), recording: recording)
    #expect(warnings.isEmpty && failures.isEmpty, "\(warnings) \(failures)")
    #expect(
      live.events.first?.kind == .link(LinkChange(.connecting, reason: "waiting for lines from \(text)")))
    #expect(live.events.count { if case .notification = $0.kind { true } else { false } } == 60)
    #expect(live.events.last?.kind == .end)
    let replay = try await Self.replayed(recording)
    #expect(replay.names == live.names && replay.events == live.events)
  }

  private static func listen(at path: String) -> CInt {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    _ = SocketAddress(path)!.withPointer { bind(descriptor, $0, $1) }
    _ = Glibc.listen(descriptor, 1)
    return descriptor
  }

  /// Writes to a FIFO, or to the first connection of a listening socket, on a separate thread, because opening blocks until there is a
  /// reader.
  private static func startWriter(_ bytes: [UInt8], to path: String, listener: CInt? = nil) {
    DispatchQueue(label: "writer").async {
      let descriptor = listener.map { accept($0, nil, nil) } ?? open(path, O_WRONLY)
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, min(777, $0.count)) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  @Test func aSourceThatRepeatsIntervalsIsSmoothed() async throws {
    let folder = try TemporaryFolder(prefix: "source")
    let lines = (0..<120).map { "{\"rr_ms\":[\(60_000.0 / Double(70 + $0 / 8 % 5))],\"t\":\($0)}\n" }
    let path = try folder.write(lines.joined(), to: "lines.jsonl")
    let classes = Mutex<[SensorClass]>([])
    let display = Collector { update in
      if case .sensorClass(let found?) = update { classes.withLock { $0.append(found) } }
      return .proceed
    }
    let setup = Self.setup(try ProgramSource(path, pace: .maximum))
    _ = try await SessionGroup(setup, alerts: .silent) { _ in display }.run()
    #expect(classes.withLock { $0.last } == .smoothed)
  }

  @Test func unusableInputsAreErrors() async throws {
    let folder = try TemporaryFolder(prefix: "source")
    #expect(throws: SourceError.missing(folder.file("none"))) { try ProgramSource(folder.file("none")) }
    #expect(throws: SourceError.file(FileError(.isDirectory, path: folder.path))) {
      try ProgramSource(folder.path)
    }
    #expect(throws: SourceError.paceOfLiveSource("unix:/x")) { try ProgramSource("unix:/x", pace: .maximum) }
    let empty = try await Self.run(try ProgramSource(try folder.write("", to: "empty"))).failures
    #expect(Self.error(empty) == .empty(folder.file("empty")))
    let bad = try await Self.run(try ProgramSource(try folder.write("hello\n", to: "bad"))).failures
    guard case .unusable(_, let line)? = Self.error(bad) else {
      Issue.record("\(bad)")
      return
    }
    #expect(line.hasPrefix("line 1: "))
    let none = try await Self.run(try ProgramSource("unix:\(folder.file("no.sock"))")).failures
    guard case .noListener? = Self.error(none) else {
      Issue.record("\(none)")
      return
    }
  }

  private static func error(_ failures: [any Error]) -> SourceError? {
    if case .source(let error)? = failures.first as? SessionError { error } else { nil }
  }

  @Test("1 MB of mutated lines: no crash, the first faults are reported, memory is bounded")
  func mutatedLines() async throws {
    var random = SeededGenerator(seed: 41)
    let seeds = [
      #"{"rr_ms":[812,805.5],"hr_bpm":74,"t":12.34}"#, #"{"contact":false}"#, #"{"sensor":"ANT+ 4711"}"#,
      #"{"type":"notification","monotonic_s":3.0025,"hex":"1634e404"}"#,
      #"{"type":"stream","monotonic_s":2,"stream":"ecg","state":"started","rate_hz":130}"#,
      #"{"type":"sensor","monotonic_s":2.5,"base64":"AAAAAAAAAAAAAAECAwQFBg=="}"#,
      #"{"type":"mark","monotonic_s":9,"text":"\u00e9\n"}"#,
    ].map { Array($0.utf8) }
    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      var line = seeds.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<line.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: line[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: line.insert(.random(in: 0...255, using: &random), at: place)
        case 2: line.insert(contentsOf: line[place...].prefix(40), at: place)
        default: line[place] = UInt8(ascii: "9")
        }
      }
      bytes += line + [UInt8(ascii: "\n")]
    }
    bytes += [UInt8](repeating: 0x7B, count: 300_000)
    let folder = try TemporaryFolder(prefix: "source")
    let path = folder.file("input")
    #expect(mkfifo(path, 0o600) == 0)
    let before = residentMemory()
    Self.startWriter(bytes, to: path)
    let warnings = Mutex<[String]>([])
    let alerts = SessionAlerts(print: nil) { text in warnings.withLock { $0.append(text) } }
    let sink = SummarySink()
    let outcome = try await SessionGroup(Self.setup(try ProgramSource(path)), alerts: alerts) { _ in sink }
      .run()
    #expect(outcome.failures.isEmpty)
    #expect(sink.value.beats > 1000)
    let lines = warnings.withLock { $0.filter { $0.hasPrefix(path) } }
    #expect(lines.count == 6 && lines.last?.contains("lines with faults") == true, "\(lines)")
    #expect(residentMemory() - before < 256 << 20)
  }
}
