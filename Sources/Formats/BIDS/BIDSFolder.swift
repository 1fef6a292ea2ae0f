import HeartRate
import Platform
import SessionData

/// The files next to a file of beats: notes, and the start time of its BIDS session.
struct BIDSFolder {
  private let path: String

  /// - Parameter path: the file of beats.
  init(_ path: String) { self.path = path }

  private var name: Substring { path.split(separator: "/").last ?? "" }

  /// The name and the value of each entity in the name: `sub-01_ses-1` and so on.
  private func entity(_ key: String) -> Substring? {
    name.split(separator: "_").first { $0.hasPrefix("\(key)-") }
  }

  /// The start, if the table of sessions contains it.
  var start: FileSession.Start? {
    get throws {
      guard let subject = entity("sub"), let session = entity("ses") else { return nil }
      var folder = Folder.parent(of: path)
      for _ in 0..<2 {
        let parent = Folder.parent(of: folder)
        guard parent != folder else { break }
        folder = parent
      }
      guard let rows = try Self.table("\(folder)/\(subject)_sessions.tsv") else { return nil }
      guard let row = rows.first(where: { $0["session_id"] == String(session) }), let time = row["acq_time"]
      else { return nil }
      guard case .local(let reading)? = FileSession.Start(date: time), let text = row["utc_offset_s"],
        let offset = Int(text), (-86_400...86_400).contains(offset)
      else { return FileSession.Start(date: time) }
      return .absolute(
        reading.advanced(ticks: -Int64(offset) * RRInterval.ticksPerSecond), utcOffset: offset)
    }
  }

  /// Adds the rows of the table of events as notes.
  func addMarks(to session: inout BeatSession) throws {
    let base = name.split(separator: "_").filter { !$0.hasPrefix("recording-") }.dropLast()
    let events = "\(Folder.parent(of: path))/\(base.joined(separator: "_"))_events.tsv"
    for row in try Self.table(events) ?? [] {
      guard let at = row["onset"].flatMap({ BIDSEventTable.time($0[...]) }) else { continue }
      let text = row["note"] ?? row["value"] ?? row["trial_type"] ?? ""
      if text != "n/a" { try session.note(text, at: at) }
    }
  }

  /// Limit of the rows of a table.
  private static let longest = 100_000

  /// The rows of a table with a heading, if the file exists.
  private static func table(_ path: String) throws -> [[String: String]]? {
    guard let source = try ByteSource.existing(path) else { return nil }
    var lines = TextLines(source, .bids)
    guard let heading = try lines.next()?.text.split(separator: "\t").map(String.init) else { return [] }
    var rows: [[String: String]] = []
    while rows.count < longest, let line = try lines.next() {
      let cells = line.text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      rows.append(Dictionary(zip(heading, cells)) { first, _ in first })
    }
    return rows
  }
}
