import Formats
import Glibc
import JSONLines
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

/// The files with the results of a study.
struct StudyResults {
  private let folder: String
  private let plan: StudyPlan

  private static let table = "segments.csv"
  /// The rows of a run that is not complete.
  private static let unfinished = "segments.csv.unfinished"
  private static let largest = 1 << 30

  init(folder: String, _ plan: StudyPlan) { (self.folder, self.plan) = (folder, plan) }

  /// Computes the rows. Those of finished recordings are written at once, so that an interrupted run can be resumed.
  func rows(_ inventory: StudyInventory, resume: Bool) throws -> [StudyRow] {
    try Folder.create(folder)
    let earlier = resume ? try earlierRows(Self.table) + earlierRows(Self.unfinished) : []
    let run = StudyRun(plan, inventory, earlier: earlier)
    let progress = StudyProgress("analyzing", of: inventory.recordings.count)
    defer { progress.clear() }
    let log = try StudyLog(path: "\(folder)/\(Self.unfinished)")
    log.append(StudyTable.heading(plan))
    let rows = run.rows { rows, count in
      log.append(rows.map(\.csv).joined())
      progress.update(count)
    }
    try log.close()
    return rows
  }

  private func earlierRows(_ name: String) throws -> [StudyRow] {
    guard let source = try ByteSource.existing("\(folder)/\(name)"),
      let bytes = try source.readAll(limit: Self.largest)
    else { return [] }
    return StudyTable.rows(String(decoding: bytes, as: UTF8.self), plan)
  }

  /// Replaces the files atomically, one after the other.
  func write(_ rows: [StudyRow], _ comparison: StudyComparison, _ report: StudyReport) throws {
    let document = report.document
    let files: [(name: String, content: [UInt8])] = [
      (Self.table, Array(StudyTable.text(rows, plan).utf8)),
      ("comparison.csv", Array(comparison.csv.utf8)), ("report.html", Array(document.html.utf8)),
      ("report.md", Array(document.markdown.utf8)),
      ("provenance.json", plan.provenance.sidecar(file: Self.table)),
    ]
    for (name, content) in files {
      try OutputFile(path: "\(folder)/\(name)", replacing: true).write(content)
    }
    try StudyLog.remove("\(folder)/\(Self.unfinished)")
  }

  var list: String {
    localized(
      "wrote segments.csv, comparison.csv, report.html, report.md and provenance.json to \(folder.printable)")
      + "\n"
  }
}

/// What was found about the recordings of a study, as text or JSON. The kinds and details of problems are English in both, as in the
/// report of the study.
struct StudyCheckText {
  private let plan: StudyPlan
  private let inventory: StudyInventory

  init(_ plan: StudyPlan, _ inventory: StudyInventory) { (self.plan, self.inventory) = (plan, inventory) }

  var text: String {
    let (participants, conditions) = (inventory.participants.count, inventory.conditions.count)
    var lines = [
      localized(
        """
        recordings: \(inventory.recordings.count), participants: \(participants), conditions: \(conditions), \
        segments: \(plan.segments.count)
        """)
    ]
    let titles = [localized("problem"), localized("recording"), localized("detail")]
    var table = TextTable(titles.map { ($0, .left) })
    for finding in inventory.findings {
      table.append([finding.kind.rawValue, finding.subject.printable, finding.detail.printable])
    }
    if !inventory.findings.isEmpty { lines += table.lines() }
    return lines.map { $0 + "\n" }.joined()
  }

  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("recordings", inventory.recordings.count)
      line.put("participants", texts: inventory.participants)
      line.put("conditions", texts: inventory.conditions)
      line.put("segments", texts: plan.segments.map(\.name))
      line.put("findings", objects: inventory.findings) { line, finding in
        line.put("problem", finding.kind.rawValue)
        line.put("recording", finding.subject)
        line.put("detail", finding.detail)
      }
    }
    return line.bytes
  }
}

/// The progress of work on many recordings. Thread-safe.
final class StudyProgress: Sendable {
  private let line: Locked<ProgressLine>
  private let count: Int

  init(_ task: String, of count: Int) {
    line = Locked(ProgressLine(task, .current))
    self.count = count
  }

  func update(_ finished: Int) {
    let text = "\(finished)/\(count)"
    line.withLock { $0.update(Double(finished) / Double(max(1, count)), detail: text) }
  }

  func clear() { line.withLock { $0.clear() } }
}

/// The rows of a run that is not complete yet: a file that contains them as soon as they are known. Thread-safe.
///
/// A failure to write is reported by ``close()``; the run itself continues.
final class StudyLog: Sendable {
  private let file: NewFile
  private let failure = Locked<FileError?>(nil)

  /// Creates the file, or empties it.
  init(path: String) throws(FileError) {
    try Self.remove(path)
    file = try NewFile(path: path, replacing: false, appears: .immediate)
  }

  func append(_ text: String) {
    failure.withLock { failure in
      guard failure == nil else { return }
      do throws(FileError) {
        try file.write(Array(text.utf8))
      } catch {
        failure = error
      }
    }
  }

  func close() throws(FileError) {
    file.close()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  static func remove(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileError(errno: errno, path: path) }
  }
}
