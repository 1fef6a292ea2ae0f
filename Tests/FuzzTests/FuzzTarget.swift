import DBus
import Glibc
import HRV
import HeartRate
import Motion
import SessionData
import Stress

@testable import Formats
@testable import Platform
@testable import Recording
@testable import Strap

/// A parser of untrusted bytes. No input may make it trap, and its output must be valid.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// Values of 0x2A37, each after a byte with its length, through the whole engine.
  case notification
  /// Sensor frames and control point values, each after a byte with its length, through the engine.
  case sensor
  /// A D-Bus message in wire format.
  case message
  case recording
  /// RR intervals, one per line.
  case text
  /// A file of any other format.
  case formats
  /// An encrypted file, its armor, and keys.
  case age
  case edf
  /// Annotations in MIT format, and a header.
  case wfdb
  /// A table of events of a BIDS dataset, compressed or not.
  case bids
  case openMHealth = "open-mhealth"
  case xdf
  case json
  /// Names and fields of tables.
  case names
  /// Exported lines in parts.
  case lines
  /// Lines of a live session, with the hello.
  case feed
  /// The header `Last-Event-ID`.
  case cursor
  /// The fields of a form, or the target of a request.
  case request
  /// The state of `publish`, the preferences of the pages, or access tokens.
  case state
  /// A decrypted file of a synchronised folder: of a device or of a key; or `stressmon.json`.
  case vault

  /// A description of the defect in the output for `bytes`; nil if the output is valid.
  func defect(_ bytes: [UInt8]) -> String? {
    switch self {
    case .notification: Self.notification(bytes)
    case .sensor: Self.sensor(bytes)
    case .message: Self.message(bytes)
    case .recording: Self.recording(bytes)
    case .text: Self.text(bytes)
    case .formats: Self.formats(bytes)
    case .age: Self.age(bytes)
    case .edf, .openMHealth, .xdf: Self.research(self, bytes)
    case .wfdb: Self.wfdb(bytes)
    case .bids: Self.bids(bytes)
    case .json: Self.json(bytes)
    case .names: Self.names(bytes)
    case .lines: Self.lines(bytes)
    case .feed: Self.feed(bytes)
    case .cursor: Self.cursor(bytes)
    case .request: Self.request(bytes)
    case .state: Self.state(bytes)
    case .vault: Self.vault(bytes)
    }
  }
}

// MARK: 0x2A37

extension FuzzTarget {
  private static func notification(_ bytes: [UInt8]) -> String? {
    var engine = StressEngine()
    var defect: String?
    var (last, arrival) = (SessionTime(ticks: .min), SessionTime.zero)
    for payload in payloads(bytes) {
      arrival = SessionTime(ticks: arrival.ticks + Int64(payload.count) * RRInterval.ticksPerSecond / 4)
      if var decoded = try? HeartRateMeasurement(payload: payload) {
        decoded.leftoverBytes = 0
        guard (try? HeartRateMeasurement(payload: decoded.encoded())) == decoded else {
          return "what was decoded is not what is encoded: \(payload)"
        }
      }
      engine.update(SessionEvent(at: arrival, .notification(payload: payload))) { part in
        guard case .beat(let beat) = part else { return }
        if beat.end < last || beat.end > arrival { defect = "beat at \(beat.end) after \(last)" }
        last = beat.end
      } measured: { measurement in
        if let score = measurement.score, !(0...100).contains(score.value) { defect = "score \(score)" }
      }
    }
    return defect
  }

  private static func payloads(_ bytes: [UInt8]) -> [[UInt8]] {
    var rest = bytes[...]
    var payloads: [[UInt8]] = []
    while let length = rest.popFirst() {
      payloads.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    return payloads
  }
}

// MARK: Sensor streams

extension FuzzTarget {
  private static func sensor(_ bytes: [UInt8]) -> String? {
    var engine = StressEngine()
    var (arrival, complaint): (SessionTime, String?) = (.zero, nil)
    for payload in payloads(bytes) {
      arrival = SessionTime(ticks: arrival.ticks + Int64(payload.count) * RRInterval.ticksPerSecond / 40)
      _ = try? SensorResponse(payload: payload).error
      _ = (try? OfferedSettings(parameters: payload))?.selected(for: .acceleration)
      if let frame = try? SensorFrame(payload: payload) {
        var count = 0
        frame.forEachAcceleration(factor: 0.5) { _ in count += 1 }
        frame.forEachECG { _ in count += 1 }
        frame.forEachPulseInterval { _ in count += 1 }
        if count != frame.count { complaint = "\(frame.count) samples are stated and \(count) decoded" }
      }
      engine.update(SessionEvent(at: arrival, .sensorFrame(payload: payload))) { _ in
      } measured: { _ in
      } moved: { second in
        if !second.intensity.isFinite || second.intensity < 0 { complaint = "intensity \(second.intensity)" }
      }
    }
    return complaint
  }
}

// MARK: D-Bus

extension FuzzTarget {
  private static func message(_ bytes: [UInt8]) -> String? {
    guard let message = DBusMessage(bytes: bytes) else { return nil }
    let subscription = PropertySubscription(
      sender: message.sender, path: message.path, interface: "org.bluez.GattCharacteristic1",
      property: "Value"
    ) { _, _ in }
    _ = subscription.value(in: message)
    let signal = message.incoming
    var tree = ObjectTree(managedObjects: signal.arguments) ?? ObjectTree()
    var index = SightingIndex()
    index.select(tree.adapter(nil), in: tree)
    if tree.apply(signal) { _ = index.update(ObjectTree.path(of: signal), in: tree) }
    readAll(of: tree)
    return defect(of: index, in: tree)
  }

  /// The updated sightings are those that a new index derives, if the adapter is the same.
  private static func defect(of updated: SightingIndex, in tree: ObjectTree) -> String? {
    guard updated.adapter != nil, updated.adapter?.path == tree.adapter(nil)?.path else { return nil }
    var new = SightingIndex()
    new.select(tree.adapter(nil), in: tree)
    return updated.all == new.all ? nil : "the sightings were not updated"
  }

  /// Reads every property that the program reads.
  private static func readAll(of tree: ObjectTree) {
    for adapter in tree.adapters {
      _ = BluetoothSnapshot.AdapterState(adapter, [])
      for device in tree.devices(of: adapter) {
        _ = device.found
        _ = tree.characteristic(GATTUUID.heartRateMeasurement, of: device)
        _ = tree.battery(of: device)
      }
    }
  }
}

// MARK: Files

extension FuzzTarget {
  private static func recording(_ bytes: [UInt8]) -> String? {
    withFile(of: bytes) { path in
      guard let reader = try? RecordingReader(path: path) else { return nil }
      var last = SessionTime.zero
      var hasEnded = false
      for event in reader.events() {
        guard event.at >= last, !hasEnded else { return "event at \(event.at) after \(last)" }
        last = event.at
        hasEnded = event.kind == .end
      }
      return nil
    }
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    let strict = try? RRText(bytes)
    let lenient: RRText
    do {
      lenient = try RRText(bytes, options: RRText.Options(skipsBadLines: true))
    } catch {
      // A table of several persons, of results or with unusable times is refused as a whole.
      switch error.reason {
      case .groups, .results, .times: return strict == nil ? nil : "skipping refuses what is sound"
      default: return "a line that was to be skipped was refused"
      }
    }
    if let strict, strict.intervals != lenient.intervals { return "skipping changes what is sound" }
    if lenient.intervals.contains(where: { !(1...RRText.longestTicks).contains($0.ticks) }) {
      return "an interval of no length, or of days"
    }
    let inPieces: Result<RRText.Reading<[RRInterval]>, RRText.BadLine> =
      RRText.read(RRText.Options(skipsBadLines: true), length: 0) { take in
        for start in stride(from: 0, to: bytes.count, by: 5) {
          take(Array(bytes[start..<min(start + 5, bytes.count)]))
        }
      }
    return (try? inPieces.get()).map(RRText.init) == lenient ? nil : "it matters where the text is cut"
  }

  private static func formats(_ bytes: [UInt8]) -> String? {
    withFile(of: bytes) { path in
      guard let file = try? formattedFile(path) else { return nil }
      return defect(of: file)
    }
  }

  private static func defect(of file: FormattedFile) -> String? {
    var found: String?
    try? file.sessions { session in
      found = found ?? defect(of: session)
      if session.beats == 0 { found = "an empty session" }
    }
    return found
  }

  private static func defect(of session: FileSession) -> String? {
    let times = session.events.map(\.at)
    if zip(times, times.dropFirst()).contains(where: { $0 > $1 }) { return "times go backwards" }
    return session.fingerprint.count == 16 ? nil : "no fingerprint"
  }

  private static func formattedFile(_ path: String) throws -> FormattedFile? {
    let source = try ByteSource(path: path)
    guard !source.head.isEmpty else { return nil }
    switch FileFormat(head: source.head) {
    case nil, .recording, .rr, .backup: return nil
    case .jsonl: return FormattedFile(source, .jsonl) { try SessionLines.sessions(source, $0) }
    case let format?: return FormattedFile(source, format)
    }
  }

  private static func withFile(of bytes: [UInt8], _ body: (String) -> String?) -> String? {
    guard let file = tmpfile() else { return "no file" }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      return "cannot write \(bytes.count) bytes"
    }
    return body("/proc/self/fd/\(fileno(file))")
  }
}

// MARK: Research formats

extension FuzzTarget {
  private static func research(_ target: FuzzTarget, _ bytes: [UInt8]) -> String? {
    withFile(of: bytes) { path in
      guard let format = FileFormat(rawValue: target.rawValue), let source = try? ByteSource(path: path)
      else {
        return nil
      }
      return defect(of: FormattedFile(source, format))
    }
  }

  private static func wfdb(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    _ = WFDBHeader.matches(text)
    let header =
      WFDBHeader(line: text.prefix { !$0.isNewline }) ?? WFDBHeader(line: "rest 0 360 9 7:0:0 1/6/2026")
    return withFile(of: bytes) { path in
      guard let source = try? ByteSource(path: path) else { return nil }
      var decoder = WFDBDecoder(ByteStream(source), header, .keeping())
      return (try? decoder.session()).flatMap { defect(of: $0) }
    }
  }

  private static func bids(_ bytes: [UInt8]) -> String? {
    withFile(of: bytes) { path in
      guard let source = try? ByteSource(path: path) else { return nil }
      if bytes.starts(with: GzipChunks.magic) {
        guard let chunks = try? GzipChunks(source, .bids) else { return nil }
        return events(in: chunks)
      }
      return events(in: ByteStream(source))
    }
  }

  /// Reads a table with the columns of stressmon, and one without intervals.
  private static func events(in chunks: some ByteChunks) -> String? {
    var lines = ChunkLines(chunks)
    var tables = [BIDSBeats.columns, ["onset", "duration", "trial_type"]].map {
      BIDSEventTable($0, .keeping())
    }
    var length = 0
    while let line = (try? lines.next(.bids, "")) ?? nil, length < 1 << 20 {
      length += line.text.utf8.count
      for place in tables.indices { try? tables[place].append(line.text) }
    }
    return tables.lazy.compactMap { defect(of: $0.session.session(start: nil)) }.first
  }
}
