import HeartRate
package import Platform
import SessionData

/// Reads the beats of a WFDB record: the header, and the annotations in MIT format next to it.
///
/// Either file can be given. The annotations of the header `NAME.hea` are `NAME.qrs`, else `NAME.atr`, else `NAME.ecg`.
struct WFDBReader {
  /// Whether a file begins with the time resolution, which stressmon and other programs write first.
  static func matches(_ head: [UInt8]) -> Bool {
    let mark = Array("## time resolution: ".utf8)
    return head.count > 4 + mark.count && head[0] == 0 && Int(head[1]) == WFDBCode.note << 2
      && Int(head[3]) >> 2 == WFDBCode.auxiliary && head[4...].starts(with: mark)
  }

  private static let annotators = ["qrs", "atr", "ecg"]

  private let source: ByteSource
  private let mostBeats: Int
  private var header: WFDBHeader?

  init(_ source: ByteSource, mostBeats: Int) { (self.source, self.mostBeats) = (source, mostBeats) }

  mutating func session() throws -> FileSession {
    let text = String(decoding: source.head, as: UTF8.self)
    if !Self.matches(source.head), WFDBHeader.matches(text) || source.path.hasSuffix(".hea") {
      header = try Self.header(source)
      return try read(annotations())
    }
    let path = "\(base).hea"
    header = try? Self.header(ByteSource(path: path))
    return try read(source)
  }

  /// The path without its extension.
  private var base: String {
    let start = source.path.lastIndex(of: "/").map(source.path.index(after:)) ?? source.path.startIndex
    guard let point = source.path[start...].lastIndex(of: "."), point > start else { return source.path }
    return String(source.path[..<point])
  }

  private static func header(_ source: ByteSource) throws -> WFDBHeader {
    var lines = TextLines(source, .wfdb)
    while let line = try lines.next() {
      if line.text.hasPrefix("#") { continue }
      guard let header = WFDBHeader(line: line.text) else {
        throw lines.malformed(
          "a record line such as \"NAME 0 1024 0 07:30:00 20/11/2026\" is expected", at: line.number)
      }
      return header
    }
    throw lines.malformed("the header has no record line", at: 1)
  }

  private func annotations() throws -> ByteSource {
    for annotator in Self.annotators {
      if let source = try ByteSource.existing("\(base).\(annotator)") { return source }
    }
    let names = Self.annotators.map { ".\($0)" }.joined(separator: ", ")
    throw FormatError(
      .malformed(.wfdb, .byte(0), "the annotations are missing: no file \(base) with the extension \(names)"),
      path: source.path)
  }

  private func read(_ source: ByteSource) throws -> FileSession {
    try source.countingFirst(bytesPerBeat: 2, mostBeats: mostBeats) { mode in
      var decoder = WFDBDecoder(ByteStream(source), header, mode)
      return try decoder.session()
    }
  }
}

/// Decodes annotations in MIT format.
struct WFDBDecoder {
  private var stream: ByteStream
  private var ticksPerSample: Double?
  private let start: FileSession.Start?
  private var peaks: PeakReader
  private var sample: Int64 = 0
  private var pending: (code: Int, sample: Int64, subtype: Int, text: [UInt8])?

  /// Longest distance from the start: 1e9 s at the highest frequency.
  private static let latest: Int64 = 80_000_000_000_000_000

  init(_ stream: ByteStream, _ header: WFDBHeader?, _ mode: SessionEvents.Mode) {
    (self.stream, peaks) = (stream, PeakReader(mode))
    (ticksPerSample, start) = (header?.ticksPerSample, header?.start)
  }

  mutating func session() throws -> FileSession {
    while true {
      let word = try self.word()
      if word == 0 { break }
      try update(code: Int(word >> 10), data: Int(word & 0x3FF))
    }
    try finishPending()
    return peaks.session.session(start: start)
  }

  private mutating func update(code: Int, data: Int) throws {
    switch code {
    case WFDBCode.skip:
      let high = UInt32(try word()) << 16
      let distance = Int64(Int32(bitPattern: high | UInt32(try word())))
      try advance(distance)
    case WFDBCode.number, WFDBCode.channel: break
    case WFDBCode.subtype: pending?.subtype = data >= 512 ? data - 1024 : data
    case WFDBCode.auxiliary:
      let text = try bytes(data)
      if data % 2 == 1 { _ = try bytes(1) }
      pending?.text = text
    default:
      try finishPending()
      try advance(Int64(data))
      pending = (code, sample, 0, [])
    }
  }

  private mutating func advance(_ distance: Int64) throws {
    if distance != 0 { try finishPending() }
    let (sum, overflows) = sample.addingReportingOverflow(distance)
    // wfdb-python writes -1 and +1 after the time resolution.
    guard !overflows, (-Self.latest...Self.latest).contains(sum) else {
      throw malformed("the time of an annotation is more than 1e9 s away from the start")
    }
    sample = sum
  }

  private mutating func finishPending() throws {
    guard let (code, sample, subtype, bytes) = pending else { return }
    pending = nil
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    if code == WFDBCode.note, sample == 0, text.hasPrefix("## ") { return try define(text) }
    let ticks = Double(sample) * (try unit())
    let at = SessionTime(ticks: Int64(min(max(ticks, -1e17), 1e17).rounded()))
    switch code {
    case WFDBCode.noise where subtype == -1 || text == EDFText.gap: peaks.gap()
    case WFDBCode.artefact where text == "extra": try peaks.peak(at: at)
    case _ where WFDBCode.beats.contains(code): try peaks.peak(at: at, opens: text == EDFText.start)
    case WFDBCode.note where text == EDFText.end: peaks.end(at: at)
    case WFDBCode.note: try peaks.note(text, at: at)
    default: break
    }
  }

  /// `## time resolution: 1024` overrides the frequency of the header.
  private mutating func define(_ text: String) throws {
    let prefix = "## time resolution: "
    guard text.hasPrefix(prefix) else { return }
    guard let frequency = Double(text.dropFirst(prefix.count)), (0.001...80_000_000).contains(frequency)
    else {
      throw malformed("a time resolution from 0.001 to 80000000 Hz is expected")
    }
    ticksPerSample = WFDBHeader.ticks(frequency)
  }

  private func unit() throws -> Double {
    guard let ticksPerSample else {
      throw malformed("the sampling frequency is unknown: the header with the extension .hea is missing")
    }
    return ticksPerSample
  }

  private mutating func word() throws -> UInt16 { try bytes(2).littleEndian16(at: 0) }

  private mutating func bytes(_ count: Int) throws -> [UInt8] {
    let bytes = try stream.read(count)
    guard bytes.count == count else {
      throw malformed("the file ends before its end mark, two zero bytes")
    }
    return bytes
  }

  private func malformed(_ why: String) -> FormatError {
    FormatError(.malformed(.wfdb, .byte(stream.offset), why), path: stream.source.path)
  }
}

extension ByteSource {
  /// Opens `path`, if the file exists.
  package static func existing(_ path: String) throws(FileError) -> ByteSource? {
    do throws(FileError) {
      return try ByteSource(path: path)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}
