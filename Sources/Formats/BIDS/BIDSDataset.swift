import HRV
package import HeartRate
import JSONLines
import Platform

/// A participant of a dataset. The label is the code without hyphens and underscores, which BIDS reserves.
package struct BIDSParticipant: Equatable, Sendable {
  package let code: String
  package var label: String { code.filter { $0 != "-" && $0 != "_" } }

  /// The participant of a new dataset if none is named.
  package static let first = BIDSParticipant(unchecked: "01")

  /// Fails unless the code consists of letters and digits of ASCII, hyphens and underscores, and has a letter or digit.
  package init?(_ code: String) {
    let isAllowed = code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    self.init(unchecked: code)
    guard isAllowed, (1...64).contains(code.count), !label.isEmpty else { return nil }
  }

  private init(unchecked code: String) { self.code = code }

  var subject: String { "sub-\(label)" }
}

/// Writes sessions of one participant as a BIDS dataset, or adds them to one.
///
/// Each session is one BIDS session. The tables of an existing dataset are merged: other participants, sessions and columns
/// stay. A session that the dataset contains, by its ID or else its start, has the same label and the same files.
///
/// Follows BIDS 1.11.1. Beats are in `_physioevents`, which BIDS 1.11 has from the extension proposal BEP020 (eye tracking);
/// their use for beats follows the draft of BEP045 (peripheral physiology). docs/reference/research-formats.md lists all files.
package struct BIDSDataset {
  /// Writes a file: its path in the dataset, and a function that passes the content to a sink.
  package typealias Files = (_ path: String, _ content: (ByteSink) throws -> Void) throws -> Void
  /// The content of a file of the existing dataset, or `nil` if the file does not exist.
  package typealias Existing = (_ path: String) throws -> [UInt8]?

  /// The dataset contains a participant with another code and the same label.
  package struct LabelError: Error, Equatable, Sendable {
    package let label: String
    package let code: String
  }

  static let version = "1.11.1"
  /// The task of sessions without a stated one.
  package static let monitoring = "monitoring"

  private let program: String
  private let engine: Int
  private let participant: BIDSParticipant
  /// The label of the session. By default, the local start.
  private let session: String?
  private let task: String
  private var participants: TSVTable
  private var sessions: TSVTable
  /// Whether the dataset has a description and a text, which are kept.
  private let isNew: (description: Bool, readme: Bool, sidecar: Bool, participants: Bool)
  /// The labels of the sessions that were written.
  private var written: Set<String> = []

  /// - Parameters:
  ///   - program: version of the program, for `dataset_description.json`.
  ///   - engine: version of the classification.
  ///   - session: a label of letters and digits.
  ///   - task: a label of letters and digits.
  package init(
    program: String, engine: Int, participant: BIDSParticipant = .first, session: String? = nil,
    task: String = Self.monitoring, existing: Existing = { _ in nil }
  ) throws {
    (self.program, self.engine, self.participant) = (program, engine, participant)
    (self.session, self.task) = (session, task)
    participants = TSVTable(try existing("participants.tsv"), required: ["participant_id"])
    let path = Self.sessionTable(participant)
    sessions = TSVTable(
      try existing("\(path).tsv"), required: ["session_id", "acq_time", "utc_offset_s", "stressmon_id"])
    isNew = (
      try existing("dataset_description.json") == nil, try existing("README") == nil,
      try existing("\(path).json") == nil, try existing("participants.json") == nil
    )
    let record = participants.records.first { $0["participant_id"] == participant.subject }
    if let code = record.map({ $0["code"].flatMap { $0 == "n/a" ? nil : $0 } ?? participant.label }),
      code != participant.code
    {
      throw LabelError(label: participant.label, code: code)
    }
    addParticipant()
  }

  private mutating func addParticipant() {
    var values = [(column: "participant_id", value: participant.subject)]
    if participant.code != participant.label {
      participants = TSVTable(participants.text, required: ["code"])
      values.append((column: "code", value: participant.code))
    }
    participants.put(values)
  }

  /// The subjects of the dataset, if it exists.
  package static func subjects(_ existing: Existing) throws -> [String]? {
    guard let table = try existing("participants.tsv") else {
      return try existing("dataset_description.json").map { _ in [] }
    }
    return TSVTable(table, required: ["participant_id"]).records.compactMap { $0["participant_id"] }
  }

  /// Text as a label: its letters and digits of ASCII. Fails if it has none.
  package static func label(_ text: String) -> String? {
    let label = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return label.isEmpty ? nil : label
  }

  private static func sessionTable(_ participant: BIDSParticipant) -> String {
    "\(participant.subject)/\(participant.subject)_sessions"
  }

  /// Writes the files of a session. The tables contain it after ``finish(to:)``.
  /// - Parameters:
  ///   - id: the identifier of the session, by which a later export recognizes it.
  ///   - events: the events that `session` was made from.
  ///   - isDated: whether the start of the session is known.
  package mutating func write(
    _ session: ResearchSession, _ events: some Sequence<SessionEvent>, id: String, isDated: Bool = true,
    to files: Files
  ) throws {
    let label = label(of: session, id: id)
    written.insert(label)
    let name = "\(participant.subject)_ses-\(label)_task-\(task)"
    let path = "\(participant.subject)/ses-\(label)/beh/\(name)"
    try BIDSBeats(session, program: "stressmon \(program), engine \(engine)").write(path, to: files)
    for track in session.tracks { try BIDSTrack(track).write(events, path, to: files) }
    if !session.marks.isEmpty { try writeMarks(session, path, to: files) }
    sessions.put([
      (column: "session_id", value: "ses-\(label)"),
      (column: "acq_time", value: isDated ? Self.time(session) : "n/a"),
      (column: "utc_offset_s", value: isDated ? "\(session.utcOffset)" : "n/a"),
      (column: "stressmon_id", value: id),
    ])
  }

  /// Writes the files of the dataset, which replace those that exist.
  package func finish(to files: Files) throws {
    let path = Self.sessionTable(participant)
    try files("\(path).tsv") { try $0(sessions.text) }
    if isNew.sidecar { try files("\(path).json") { try $0(Self.sidecar) } }
    try files("participants.tsv") { try $0(participants.text) }
    if isNew.participants { try files("participants.json") { try $0(Self.participantsSidecar) } }
    if isNew.readme { try files("README") { try $0(Array(Self.readme.utf8)) } }
    if isNew.description { try files("dataset_description.json") { try $0(description) } }
  }

  private static func time(_ session: ResearchSession) -> String {
    String(session.localStart.rfc3339.dropLast())
  }

  /// The label of the same session in the dataset, else the local start, `20261120T073000`, with a suffix if other sessions
  /// start in the same second.
  private func label(of session: ResearchSession, id: String) -> String {
    if let label = self.session { return label }
    let known = sessions.records.first { record in
      guard let label = record["session_id"]?.dropFirst(4), !written.contains(String(label)) else {
        return false
      }
      guard let other = record["stressmon_id"], other != "n/a" else {
        return record["acq_time"] == Self.time(session)
      }
      return other == id
    }
    if let label = known?["session_id"]?.dropFirst(4) { return String(label) }
    let time = Self.time(session).prefix(19).filter { $0 != "-" && $0 != ":" }
    let labels = Set(sessions.records.compactMap { $0["session_id"] })
    return (0...labels.count).lazy.map { $0 == 0 ? String(time) : "\(time)x\($0)" }
      .first { !labels.contains("ses-\($0)") } ?? String(time)
  }

  private static var participantsSidecar: [UInt8] {
    JSONLine.document { line in
      line.put("participant_id") { $0.put("Description", "Label of the participant") }
      line.put("code") {
        $0.put("Description", "Code of the participant, if it contains characters that labels cannot contain")
      }
    }
  }

  private static var sidecar: [UInt8] {
    JSONLine.document { line in
      line.put("utc_offset_s") {
        $0.put("Description", "Offset of acq_time from UTC (east is positive)")
        $0.put("Units", "s")
      }
      line.put("stressmon_id") { $0.put("Description", "Identifier of the session in stressmon") }
    }
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
    sub-*_sessions.tsv (local time). The identifiers contain no name.

    """

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
