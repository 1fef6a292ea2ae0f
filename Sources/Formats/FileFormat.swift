package import HeartRate
import Platform

/// Format of a file with sessions. docs/reference/formats.md lists what is read from each.
package enum FileFormat: String, Sendable, CaseIterable {
  /// A recording of one session, written by `record`.
  case recording
  /// RR intervals, one per line (what many programs call RR text, and what Elite HRV exports), or in a column of a table.
  case rr
  /// Sessions as JSON lines, written by `export`.
  case jsonl
  /// A table of beats of sessions, written by `export`.
  case csv
  /// A FIT activity with `hrv` messages.
  case fit
  /// A table of RR intervals, exported by HRV Logger.
  case hrvLogger = "hrv-logger"
  /// Text of Polar Sensor Logger.
  case polarLogger = "polar-logger"
  /// A Polar HRM file with RR intervals, also supported by Kubios.
  case hrm
  /// The export of Apple Health: the archive or its XML document.
  case appleHealth = "apple-health"
  /// A capture of Bluetooth traffic in btsnoop format.
  case btsnoop
  /// EDF+ with beats as annotations.
  case edf
  /// A record of the WFDB library (PhysioNet): header and annotations.
  case wfdb
  /// A dataset in the Brain Imaging Data Structure with beats as events of physiological recordings.
  case bids
  /// Data points of Open mHealth.
  case openMHealth = "open-mhealth"
  /// Extensible Data Format, written by LabRecorder.
  case xdf
  /// A backup of a history.
  case backup

  /// The name for messages.
  package var name: String {
    switch self {
    case .recording: "recording"
    case .rr: "RR text"
    case .jsonl: "JSON lines of sessions"
    case .csv: "table of beats"
    case .fit: "FIT file"
    case .hrvLogger: "table of HRV Logger"
    case .polarLogger: "text of Polar Sensor Logger"
    case .hrm: "Polar HRM file"
    case .appleHealth: "Apple Health export"
    case .btsnoop: "Bluetooth capture"
    case .edf: "EDF+ file"
    case .wfdb: "WFDB record"
    case .bids: "BIDS dataset"
    case .openMHealth: "data points of Open mHealth"
    case .xdf: "XDF file"
    case .backup: "copy of a history"
    }
  }
}

extension FileFormat {
  /// Whether the format is a text table, of which one column can be read as RR text.
  package var isTable: Bool { [.csv, .hrvLogger, .polarLogger].contains(self) }

  /// Detects the format from the first bytes of a file, which must not be empty. Fails if they are binary data in an unknown
  /// format.
  package init?(head: [UInt8]) {
    if let magic = Self.magic(head) {
      self = magic
      return
    }
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    let content = text.drop { $0 <= 0x20 }
    if content.first == UInt8(ascii: "{") {
      self = Self.ofObject(content)
      return
    }
    guard !head.contains(where: Self.isBinary) else { return nil }
    self = Self.ofText(content)
  }

  private static func magic(_ head: [UInt8]) -> FileFormat? {
    if head.starts(with: BTSnoop.magic) { return .btsnoop }
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return .backup }
    if head.starts(with: ZipEntry.magic) { return .appleHealth }
    if head.starts(with: XDFChunks.magic) { return .xdf }
    if head.starts(with: GzipChunks.magic) { return .bids }
    if EDFReader.matches(head) { return .edf }
    if WFDBReader.matches(head) { return .wfdb }
    if head.count >= 12, head[0] == 12 || head[0] == 14, head[8..<12].elementsEqual(FITFile.mark) {
      return .fit
    }
    return nil
  }

  /// JSON: the first line of a file of stressmon states its format.
  private static func ofObject(_ content: ArraySlice<UInt8>) -> FileFormat {
    let line = content.prefix { $0 != 0x0A }
    if holds("stressmon-sessions", line) { return .jsonl }
    if holds("stressmon-recording", line) { return .recording }
    if holds("BIDSVersion", content) { return .bids }
    return OpenMHealthReader.matches(String(decoding: content, as: UTF8.self)) ? .openMHealth : .recording
  }

  private static func ofText(_ content: ArraySlice<UInt8>) -> FileFormat {
    let line = String(decoding: content.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    if content.first == UInt8(ascii: "<") { return .appleHealth }
    if line.lowercased().hasPrefix("[params]") { return .hrm }
    if line.hasPrefix(PolarLoggerText.heading) { return .polarLogger }
    if line == BeatTable.heading { return .csv }
    let text = String(decoding: content, as: UTF8.self)
    if content.first == UInt8(ascii: "["), OpenMHealthReader.matches(text) { return .openMHealth }
    if WFDBHeader.matches(text) { return .wfdb }
    return HRVLoggerTable.Columns(heading: line) == nil ? .rr : .hrvLogger
  }

  /// Control characters that do not occur in text.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0C && byte != 0x0D
  }

  private static func holds(_ word: String, _ line: ArraySlice<UInt8>) -> Bool {
    String(decoding: line, as: UTF8.self).contains("\"\(word)\"")
  }
}

/// Times in the names of files: `2026-06-01 07-30-00.txt`, `Polar_H10_20260601_073000_RR.txt`.
package enum FileNameTime {
  /// The local time in the name of the file at `path`, if it contains one.
  package static func time(in path: String) -> WallTime? {
    let name = path.split(separator: "/").last ?? ""
    let digits = name.split { !$0.isASCII || !$0.isNumber }.map(String.init)
    for start in digits.indices {
      if let time = time(Array(digits[start...])) { return time }
    }
    return nil
  }

  /// The time of `YYYY MM DD hh mm ss`, or of `YYYYMMDD hhmmss`.
  private static func time(_ numbers: [String]) -> WallTime? {
    if numbers.count >= 6, numbers[0].count == 4, numbers[1..<6].allSatisfy({ $0.count == 2 }) {
      return time(numbers[0..<3].joined(), numbers[3..<6].joined())
    }
    guard numbers.count >= 2, numbers[0].count == 8, numbers[1].count == 6 else { return nil }
    return time(numbers[0], numbers[1])
  }

  private static func time(_ date: String, _ clock: String) -> WallTime? {
    let (date, clock) = (Array(date), Array(clock))
    let day = "\(String(date[0..<4]))-\(String(date[4..<6]))-\(String(date[6..<8]))"
    let hour = "\(String(clock[0..<2])):\(String(clock[2..<4])):\(String(clock[4..<6]))"
    return LocalTime.parse("\(day)T\(hour)")
  }
}
