import Formats
import HRV
import HeartRate
package import Platform

/// The recordings of a study by participant and condition, and what is wrong with them.
///
/// Recordings belong together by the names of participant and condition, never by their position in a list.
package struct StudyInventory: Sendable {
  /// The recording of a participant in a condition, and in a session if the pattern has one.
  package struct Key: Hashable, Comparable, Sendable {
    package let participant: String
    package let condition: String
    package let session: String

    package static func < (a: Key, b: Key) -> Bool {
      (a.participant, a.condition, a.session) < (b.participant, b.condition, b.session)
    }

    /// `P01, rest`.
    package var text: String {
      [participant, condition, session].filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  package struct Recording: Sendable {
    package let key: Key
    /// Path relative to the folder of the study.
    package let path: String
    /// The rows of the recording in a table of several recordings.
    let part: TableGroups.Part?
  }

  /// A fact to correct, or to know, before the study is run.
  package struct Finding: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
      /// A participant has no recording of a condition.
      case missing
      /// Several recordings of one participant, condition and session.
      case duplicate
      /// A file that matches the pattern, with a participant or a condition that the plan does not name.
      case unexpected
      /// A recording that cannot be read.
      case unreadable
      /// A segment whose marks the recording does not contain.
      case noSegment = "no segment"
      /// A segment below the shortest length.
      case tooShort = "too short"
    }

    package let kind: Kind
    package let subject: String
    package let detail: String
  }

  package let folder: String
  package private(set) var participants: [String]
  package private(set) var conditions: [String]
  /// One per key, by participant and condition in the order of the plan.
  package private(set) var recordings: [Recording] = []
  package private(set) var findings: [Finding] = []

  /// Finds the recordings of `plan` below `folder`.
  /// - Throws: `FileError` if a table cannot be read.
  package init(_ plan: StudyPlan, folder: String) throws {
    self.folder = folder
    (participants, conditions) = (plan.participants, plan.conditions)
    var found: [Recording] = []
    for path in Self.paths(in: folder, plan.recordings) {
      guard let fields = plan.recordings.match(path, conditions: plan.conditions) else { continue }
      found += try Self.recordings(path, fields, plan, folder)
    }
    add(found, plan)
    addMissing(plan)
  }

  /// The paths of all files that can match, by name. Results of earlier runs and hidden files are no recordings.
  private static func paths(in folder: String, _ pattern: RecordingPattern) -> [String] {
    func search(_ prefix: String, depth: Int) -> [String] {
      let path = prefix.isEmpty ? folder : "\(folder)/\(prefix)"
      return Folder.names(in: path).filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
        let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
        if depth == pattern.depth - 1 { return [path] }
        return pattern.matchesFolder(name, depth: depth) && Folder.isFolder("\(folder)/\(path)")
          ? search(path, depth: depth + 1) : []
      }
    }
    return search("", depth: 0)
  }

  private static func recordings(
    _ path: String, _ fields: [RecordingPattern.Field: String], _ plan: StudyPlan, _ folder: String
  ) throws -> [Recording] {
    func key(_ participant: String?, _ condition: String?) -> Key {
      Key(
        participant: fields[.participant] ?? participant ?? "",
        condition: fields[.condition] ?? condition ?? "", session: fields[.session] ?? "")
    }
    guard fields[.participant] == nil || fields[.condition] == nil && plan.table != StudyPlan.TableColumns()
    else {
      return [Recording(key: key(nil, nil), path: path, part: nil)]
    }
    let groups = try TableGroups(
      path: "\(folder)/\(path)", participant: plan.table.participant, condition: plan.table.condition,
      conditions: plan.conditions, hasParticipant: fields[.participant] != nil)
    return groups.parts.map { Recording(key: key($0.participant, $0.condition), path: path, part: $0) }
  }

  private mutating func add(_ found: [Recording], _ plan: StudyPlan) {
    let known = found.filter { recording in
      let key = recording.key
      if !plan.participants.isEmpty, !plan.participants.contains(key.participant) {
        findings.append(
          Finding(kind: .unexpected, subject: recording.path, detail: "participant \(key.participant)"))
      } else if !plan.conditions.isEmpty, !plan.conditions.contains(key.condition) {
        findings.append(
          Finding(kind: .unexpected, subject: recording.path, detail: "condition \(key.condition)"))
      } else {
        return true
      }
      return false
    }
    if participants.isEmpty { participants = Set(known.map(\.key.participant)).sorted() }
    if conditions.isEmpty { conditions = Set(known.map(\.key.condition)).sorted() }
    let order = Dictionary(uniqueKeysWithValues: conditions.enumerated().map { ($1, $0) })
    let people = Dictionary(uniqueKeysWithValues: participants.enumerated().map { ($1, $0) })
    let groups = Dictionary(grouping: known, by: \.key)
    recordings = groups.values.filter { $0.count == 1 }.map { $0[0] }.sorted { a, b in
      (people[a.key.participant] ?? 0, order[a.key.condition] ?? 0, a.key.session)
        < (people[b.key.participant] ?? 0, order[b.key.condition] ?? 0, b.key.session)
    }
    for (key, several) in groups.sorted(by: { $0.key < $1.key }) where several.count > 1 {
      let paths = several.map(\.path).joined(separator: ", ")
      findings.append(Finding(kind: .duplicate, subject: key.text, detail: paths))
    }
  }

  private mutating func addMissing(_ plan: StudyPlan) {
    // In an independent design, each participant has one condition.
    let expected = plan.design == .independent ? [] : conditions
    let present = Set(recordings.map { [$0.key.participant, $0.key.condition] })
    for participant in participants {
      for condition in expected where !present.contains([participant, condition]) {
        let key = Key(participant: participant, condition: condition, session: "")
        findings.append(Finding(kind: .missing, subject: key.text, detail: "no recording"))
      }
    }
  }

  package mutating func add(_ finding: Finding) { findings.append(finding) }
}

extension StudyInventory {
  /// The digest of a file that is too large to be kept; `nil` for a folder, and for a file that cannot be read.
  func digest(of recording: Recording) -> String? {
    try? FileDigest.hex(ofFile: "\(folder)/\(recording.path)")
  }

  /// Opens a recording.
  /// - Parameter source: its file, if that is open.
  /// - Throws: `FileError` or `FormatError`.
  package func open(
    _ recording: Recording, _ plan: StudyPlan, _ source: ByteSource? = nil
  ) throws -> OpenedSession {
    let path = "\(folder)/\(recording.path)"
    var options = RRText.Options(column: plan.table.intervals)
    options.timeColumn = plan.table.time
    guard let part = recording.part else {
      let file =
        try source.map { try SessionFile($0, options: options) } ?? SessionFile(path: path, options: options)
      return try file.onlySession { _ in }
    }
    if let column = part.column { options.column = column }
    do throws(RRText.BadLine) {
      return OpenedSession(try RRText(part.text, options: options))
    } catch {
      throw FormatError(.badLine(error), path: path)
    }
  }
}
