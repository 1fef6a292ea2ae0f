import History
import JSONLines
import Platform
import Reports
import Terminal

/// Journal entries as a table and as JSON.
struct JournalReport: PrintedReport {
  let entries: [JournalEntry]
  let profile: String

  func text(width: Int?) -> String {
    guard !entries.isEmpty else {
      return "No journal entry of '\(profile)' here. Write one with: stressmon journal add --mood 6\n"
    }
    var table = TextTable([
      ("id", .right), ("time", .left), ("mood", .left), ("triggers", .left), ("session", .left),
      ("note", .left),
    ])
    for entry in entries {
      table.append([
        "\(entry.id)", LocalZone.text(entry.time), entry.mood.map { "\($0.rating) \($0.word)" } ?? "-",
        entry.triggers.isEmpty ? "-" : entry.triggers.joined(separator: ", "),
        entry.session.map { String($0.text.prefix(10)) } ?? "-", entry.note ?? "-",
      ])
    }
    return table.lines(width: width, expendable: ["session"]).map { $0 + "\n" }.joined()
  }

  var json: [UInt8] {
    var line = JSONLine()
    for entry in entries { line.line { entry.put(into: &$0) } }
    return line.bytes
  }
}
