import HeartRate
import JSONLines
import Platform
import SessionData

/// Reads the beats of an EDF+ file from its annotations: differences of the times of `QRS`. Signals are skipped.
///
/// A record is in memory, and the beats. Files of other programs are read as well; their annotations `QRS`, `R`, `N`, `R-peak`,
/// `heartbeat` and `beat` are beats (case-insensitive), and other annotations are notes.
struct EDFReader {
  static let version = Array("0       ".utf8)
  private static let reservedOffset = 192
  private static let beats: Set = [
    "QRS", "R", "N", "BEAT", "R-PEAK", "R PEAK", "R_PEAK", "RPEAK", "HEARTBEAT",
  ]
  /// Limit of a data record in bytes; the specification recommends at most 61,440.
  private static let longestRecord = 16 << 20

  private var stream: ByteStream
  private var peaks: PeakReader
  /// Onset of the first record.
  private var origin: SessionTime?

  init(_ source: ByteSource, _ mode: SessionEvents.Mode) {
    (stream, peaks) = (ByteStream(source), PeakReader(mode))
  }

  /// Whether a file begins like EDF+.
  static func matches(_ head: [UInt8]) -> Bool {
    head.count >= 256 && head.starts(with: version)
      && (head[reservedOffset...].starts(with: Array("EDF+C".utf8))
        || head[reservedOffset...].starts(with: Array("EDF+D".utf8)))
  }

  mutating func session() throws -> FileSession {
    let header = try EDFHeader(&stream, malformed)
    guard !header.annotations.isEmpty else {
      throw malformed("no signal \"EDF Annotations\": the file has no beats", at: 256)
    }
    guard header.recordLength <= Self.longestRecord else {
      throw malformed(
        "data records of \(header.recordLength) bytes; the limit is \(Self.longestRecord)", at: 236)
    }
    var count = 0
    while header.recordCount.map({ count < $0 }) ?? true {
      let start = stream.offset
      let record = try stream.read(header.recordLength)
      if record.isEmpty, header.recordCount == nil { break }
      guard record.count == header.recordLength else {
        throw malformed(
          "the file ends in data record \(count + 1) of \(header.recordCount.map(String.init) ?? "unknown")",
          at: stream.offset)
      }
      for (place, range) in header.annotations.enumerated() {
        try read(record[range], at: start + range.lowerBound, isTimeKeeping: place == 0)
      }
      count += 1
    }
    return peaks.session.session(start: header.start.map { start(.local($0)) })
  }

  private func start(_ time: FileSession.Start) -> FileSession.Start {
    time.earlier(by: -(origin?.ticks ?? 0))
  }

  private mutating func read(_ signal: ArraySlice<UInt8>, at offset: Int, isTimeKeeping: Bool) throws {
    var isFirst = isTimeKeeping
    for entry in signal.split(separator: 0) {
      guard let annotation = EDFAnnotation(entry) else {
        throw malformed(
          "an annotation that is not \"+ONSET\" with texts", at: offset + entry.startIndex - signal.startIndex
        )
      }
      if isFirst, origin == nil { origin = annotation.onset }
      // The time-keeping entry of a record begins with an empty text.
      try update(annotation, texts: isFirst ? annotation.texts.drop(while: \.isEmpty) : annotation.texts[...])
      isFirst = false
    }
  }

  private mutating func update(_ annotation: EDFAnnotation, texts: ArraySlice<String>) throws {
    let at = SessionTime(ticks: annotation.onset.ticks - (origin?.ticks ?? 0))
    guard let first = texts.first else { return }
    if texts.contains(where: { Self.beats.contains($0.uppercased()) }) {
      try peaks.peak(at: at, opens: texts.contains(EDFText.start))
    } else if first == EDFText.gap {
      peaks.gap()
    } else if first == EDFText.end {
      peaks.end(at: at)
    } else {
      for text in texts { try peaks.note(text, at: at) }
    }
  }

  private func malformed(_ why: String, at offset: Int) -> FormatError {
    FormatError(.malformed(.edf, .byte(offset), why), path: stream.source.path)
  }
}

/// The fields of the header that are needed to read annotations.
struct EDFHeader {
  /// Local start time, in whole seconds. Absent if the header contains no valid date.
  private(set) var start: WallTime?
  /// Absent if the header does not state it (-1).
  private(set) var recordCount: Int?
  private(set) var recordLength = 0
  /// The bytes of each annotation signal in a record.
  private(set) var annotations: [Range<Int>] = []

  /// Limits that keep the header and a record small.
  private static let longestSignal = 1 << 24

  init(_ stream: inout ByteStream, _ malformed: (String, Int) -> FormatError) throws {
    let fixed = try stream.read(256)
    guard fixed.count == 256, fixed.starts(with: EDFReader.version) else {
      throw malformed("a header of 256 bytes with version 0 is expected", 0)
    }
    func text(_ range: Range<Int>, of bytes: [UInt8]) -> String {
      String(decoding: bytes[range], as: UTF8.self).split(separator: " ").joined(separator: " ")
    }
    guard let count = Int(text(252..<256, of: fixed)), (1...9999).contains(count) else {
      throw malformed("a number of signals from 1 to 9999 is expected", 252)
    }
    guard let records = Int(text(236..<244, of: fixed)), records >= -1 else {
      throw malformed("a number of data records is expected", 236)
    }
    recordCount = records == -1 ? nil : records
    start = Self.date(text(168..<176, of: fixed), text(176..<184, of: fixed), text(88..<168, of: fixed))
    let signals = try stream.read(256 * count)
    guard signals.count == 256 * count else { throw malformed("the header ends early", stream.offset) }
    for signal in 0..<count {
      // Samples per record follow eight fields of 216 bytes in total per signal.
      let place = 216 * count + 8 * signal
      guard let samples = Int(text(place..<place + 8, of: signals)),
        (0...Self.longestSignal).contains(samples)
      else { throw malformed("a number of samples is expected", 256 + place) }
      let range = recordLength..<recordLength + 2 * samples
      if text(16 * signal..<16 * signal + 16, of: signals) == "EDF Annotations" { annotations.append(range) }
      recordLength = range.upperBound
    }
    guard recordLength > 0 else { throw malformed("the data records are empty", 256 + 216 * count) }
  }

  /// `20.11.26`, `07.30.00`, and the recording field, which has the year with four digits.
  private static func date(_ date: String, _ time: String, _ recording: String) -> WallTime? {
    let parts = date.split(separator: ".")
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), time.utf8.count == 8 else { return nil }
    let stated = recording.split(separator: " ").dropFirst().first?.split(separator: "-").last
    var year = stated.flatMap { $0.utf8.count == 4 ? Int($0) : nil }
    if year == nil, let short = Int(parts[2]) { year = short < 85 ? 2000 + short : 1900 + short }
    guard let year, (1000...9999).contains(year) else { return nil }
    let clock = time.split(separator: ".").joined(separator: ":")
    return WallTime(rfc3339: "\(year)-\(parts[1])-\(parts[0])T\(clock)Z")
  }
}
