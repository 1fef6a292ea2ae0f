import Platform

/// The recordings of a table with several of them: long, with columns of participant and condition, or wide, with one column of
/// intervals per recording.
///
///     participant,condition,timestamp,rr_ms        P01_rest,P01_task,P02_rest
///     P01,rest,0.81,810                            810,742,933
///     P01,task,0.74,742                            804,751,
package struct TableGroups: Sendable {
  /// A table that contains the rows of one recording.
  package struct Part: Sendable {
    package let participant: String?
    package let condition: String?
    /// The column of the intervals in a wide table.
    package let column: String?
    package let text: [UInt8]
  }

  package let parts: [Part]

  private static let participants: Set = [
    "participant", "participant_id", "subject", "subject_id", "subj", "sub", "id", "person", "proband", "vp",
  ]
  private static let conditions: Set = ["condition", "cond", "task", "phase"]
  private static let largest = 512 << 20

  /// - Parameters:
  ///   - participant: the column of participants. By default, it is found by its heading.
  ///   - conditions: the known conditions, which divide the headings of a wide table.
  ///   - hasParticipant: whether the participant is known, for example from the name of the file.
  /// - Throws: `FileError`; ``FormatError`` if the table has neither such columns nor such headings.
  package init(
    path: String, participant: String?, condition: String?, conditions: [String], hasParticipant: Bool
  ) throws {
    let source = try ByteSource(path: path)
    guard let bytes = try source.readAll(limit: Self.largest) else {
      throw FormatError(.tooLarge(limit: Self.largest), path: path)
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map(\.withoutSpaceAround).filter {
      !$0.isEmpty && $0.first != UInt8(ascii: "#")
    }
    guard let heading = lines.first else { throw FormatError(.noIntervals, path: path) }
    for separator in FieldSeparator.allCases {
      let names = separator.fields(heading).map { ColumnName($0).text }
      guard names.count > 1 else { continue }
      let place = { (name: String?, usual: Set<String>) in
        names.firstIndex { name.map($0.lowercased().elementsEqual) ?? usual.contains($0.lowercased()) }
      }
      let people = place(participant?.lowercased(), Self.participants)
      let states = place(condition?.lowercased(), Self.conditions)
      if people != nil || hasParticipant && states != nil {
        parts = Self.long(lines, separator, people, states)
        return
      }
      let wide = Self.wide(lines, separator, names, conditions)
      if !wide.isEmpty {
        parts = wide
        return
      }
    }
    throw FormatError(
      .malformed(.rr, .line(1), "a column of participants, or headings such as P01_rest, are expected"),
      path: path)
  }

  private static func long(
    _ lines: [ArraySlice<UInt8>], _ separator: FieldSeparator, _ people: Int?, _ states: Int?
  ) -> [Part] {
    var order: [[String]] = []
    var rows: [[String]: [UInt8]] = [:]
    for line in lines.dropFirst() {
      let fields = separator.fields(line)
      let key = [people, states].map { place in
        place.flatMap { $0 < fields.count ? String(decoding: fields[$0], as: UTF8.self) : nil } ?? ""
      }
      if rows[key] == nil {
        order.append(key)
        rows[key] = Array(lines[0]) + [UInt8(ascii: "\n")]
      }
      rows[key, default: []] += line
      rows[key, default: []].append(UInt8(ascii: "\n"))
    }
    return order.map { key in
      Part(
        participant: people == nil ? nil : key[0], condition: states == nil ? nil : key[1], column: nil,
        text: rows[key] ?? [])
    }
  }

  /// The columns whose headings end, or begin, with a known condition. Columns can have different lengths.
  private static func wide(
    _ lines: [ArraySlice<UInt8>], _ separator: FieldSeparator, _ names: [String], _ conditions: [String]
  ) -> [Part] {
    names.enumerated().compactMap { place, name in
      guard let (participant, condition) = divided(name, conditions) else { return nil }
      var text = Array("rr\n".utf8)
      for line in lines.dropFirst() {
        let fields = separator.fields(line)
        guard place < fields.count, !fields[place].isEmpty else { continue }
        text += fields[place]
        text.append(UInt8(ascii: "\n"))
      }
      return Part(participant: participant, condition: condition, column: "1", text: text)
    }
  }

  private static func divided(_ name: String, _ conditions: [String]) -> (String, String)? {
    for condition in conditions where !condition.isEmpty {
      for separator in ["_", "-", ".", " "] {
        if name.hasSuffix(separator + condition) {
          return (String(name.dropLast(condition.count + 1)), condition)
        }
        if name.hasPrefix(condition + separator) {
          return (String(name.dropFirst(condition.count + 1)), condition)
        }
      }
    }
    return nil
  }
}
