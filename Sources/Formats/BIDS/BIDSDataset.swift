import HRV
package import HeartRate
import JSONLines
import Platform

/// Writes sessions as a BIDS dataset: one participant with one BIDS session per session.
///
/// Follows BIDS 1.11.1. Beats are in `_physioevents`, which BIDS 1.11 has from the extension proposal BEP020 (eye tracking);
/// their use for beats follows the draft of BEP045 (peripheral physiology). docs/reference/research-formats.md lists all files.
package struct BIDSDataset {
  /// Writes a file: its path in the dataset, and a function that passes the content to a sink.
  package typealias Files = (_ path: String, _ content: (ByteSink) throws -> Void) throws -> Void

  static let version = "1.11.1"
  static let participant = "sub-01"
  static let task = "monitoring"

  private let program: String
  private var sessions: [(label: String, start: WallTime, utcOffset: Int)] = []

  /// - Parameter program: version of the program, for `dataset_description.json`.
  package init(program: String) { self.program = program }

  /// Writes the files of a session.
  /// - Parameter events: the events that `session` was made from.
  package mutating func write(
    _ session: ResearchSession, _ events: some Sequence<SessionEvent>, to files: Files
  ) throws {
    let label = label(of: session)
    sessions.append((label, session.localStart, session.utcOffset))
    let name = "\(Self.participant)_ses-\(label)_task-\(Self.task)"
    let path = "\(Self.participant)/ses-\(label)/beh/\(name)"
    try BIDSBeats(session).write(path, to: files)
    for track in session.tracks { try BIDSTrack(track).write(events, path, to: files) }
    if !session.marks.isEmpty { try writeMarks(session, path, to: files) }
  }

  /// Writes the files of the dataset.
  package func finish(to files: Files) throws {
    try files("participants.tsv") { try $0(Array("participant_id\n\(Self.participant)\n".utf8)) }
    try files("README") { try $0(Array(Self.readme.utf8)) }
    let rows = sessions.map { "ses-\($0.label)\t\($0.start.rfc3339.dropLast())\t\($0.utcOffset)\n" }
    let path = "\(Self.participant)/\(Self.participant)_sessions"
    try files("\(path).tsv") {
      try $0(Array(("session_id\tacq_time\tutc_offset_s\n" + rows.joined()).utf8))
    }
    try files("\(path).json") {
      try $0(
        JSONLine.document { line in
          line.put("utc_offset_s") {
            $0.put("Description", "Offset of acq_time from UTC (east is positive)")
            $0.put("Units", "s")
          }
        })
    }
    try files("dataset_description.json") { try $0(description) }
  }

  private var description: [UInt8] {
    JSONLine.document {
      $0.put("Name", "Sessions of a heart-rate strap")
      $0.put("BIDSVersion", Self.version)
      $0.put("DatasetType", "raw")
      $0.put("GeneratedBy", objects: [program]) { line, version in
        line.put("Name", "stressmon")
        line.put("Version", version)
      }
    }
  }

  private static let readme = """
    # Sessions of a heart-rate strap

    Exported by stressmon. Beats are in the files *_physioevents.tsv.gz: RR intervals in ms, exact, with a verdict on each.
    Signals are in *_physio.tsv.gz. Onsets are in seconds from the start of the session, which is acq_time in
    sub-01_sessions.tsv (local time). The identifiers contain no name.

    """

  /// The local start, `20261120T073000`, with a letter if several sessions start in the same second.
  private func label(of session: ResearchSession) -> String {
    let time = session.localStart.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }
    let labels = Set(sessions.map(\.label))
    return (0...sessions.count).lazy.map { $0 == 0 ? String(time) : "\(time)x\($0)" }
      .first { !labels.contains($0) } ?? String(time)
  }

  private func writeMarks(_ session: ResearchSession, _ path: String, to files: Files) throws {
    try files("\(path)_events.tsv") { sink in
      var bytes = Array("onset\tduration\ttrial_type\tnote\n".utf8)
      for mark in session.marks {
        bytes.append(seconds: mark.at)
        bytes += "\t0\tmark\t\(Self.cell(mark.text))\n".utf8
      }
      try sink(bytes)
    }
    try files("\(path)_events.json") {
      try $0(
        JSONLine.document { line in
          line.put("trial_type") {
            $0.put("Description", "Kind of the event")
            $0.put("Levels") { $0.put("mark", "A note that was entered during the session") }
          }
          line.put("note") { $0.put("Description", "Text of the note") }
        })
    }
  }

  /// Text without tabs and line feeds; `n/a` if it is empty.
  private static func cell(_ text: String) -> String {
    let plain = String(text.prefix(BeatSession.longestNote)).withoutControlCharacters
    return plain.isEmpty ? "n/a" : plain
  }
}

extension JSONLine {
  /// A JSON document: an object with the members that `members` adds.
  static func document(_ members: (inout JSONLine) -> Void) -> [UInt8] {
    var line = JSONLine()
    line.line(members)
    return line.bytes
  }
}
