import Formats
import Glibc
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Stress
import Terminal

/// Writes sessions as a BIDS dataset into a folder.
///
/// The files of a session are renamed into place when all of them are complete, and then the tables that list the session. A
/// failure leaves a dataset with all sessions before it. Files are replaced only for the same participant and session;
/// tables are merged.
struct BIDSExport {
  let reader: HistoryReader
  let environment: ProcessEnvironment
  /// The labels of the session and the task, unless they are the start of the session and `monitoring`.
  var session: String?
  var task: String?
  /// The participant of the sessions, unless it is the first one of a new dataset.
  let participant: BIDSParticipant?

  func write(_ sessions: [StoredSession], to folder: String, replacing: Bool) throws {
    var files = ExportFolder(folder, replacing: replacing)
    var dataset = try dataset(files)
    do {
      try writeAll(sessions, &dataset, to: &files)
    } catch {
      files.discard()
      throw error
    }
    printDiagnostic("stressmon: " + localized("wrote \(folder.printable)"))
  }

  /// The dataset in the folder, or a new one.
  private func dataset(_ files: ExportFolder) throws -> BIDSDataset {
    let name = files.folder.printable
    if participant == nil, let subjects = try BIDSDataset.subjects(files.content) {
      let found = subjects.isEmpty ? "dataset_description.json" : RRText.BadLine.list(subjects)
      throw CommandFailure(
        .usage,
        Phrase(
          """
          \(name) is a BIDS dataset already (it contains: \(found)): name the person of these sessions with \
          --participant CODE, for example --participant 02
          """))
    }
    do {
      return try BIDSDataset(
        program: programVersion, engine: StressEngine.version, participant: participant ?? .first,
        session: session, task: task ?? BIDSDataset.monitoring, existing: files.content)
    } catch let error as BIDSDataset.LabelError {
      throw CommandFailure(
        .usage,
        Phrase(
          """
          sub-\(error.label) in \(name) is the participant '\(error.code.printable)': choose another code with \
          --participant CODE
          """))
    }
  }

  private func writeAll(
    _ sessions: [StoredSession], _ dataset: inout BIDSDataset, to files: inout ExportFolder
  ) throws {
    let progress = ProgressLine(localized("exporting"), environment)
    defer { progress.clear() }
    for (place, session) in sessions.enumerated() {
      let events = reader.events(of: session.info.id)
      let content = try ResearchSession(session, events)
      if content.isEmpty {
        try SessionExport.skip(session, isOnly: sessions.count == 1)
      } else {
        try dataset.write(content, events, id: session.info.id.text) { try files.write($0, $1) }
      }
      if let failure = events.failure { throw failure }
      try files.finish()
      if !content.isEmpty {
        try dataset.finish { try files.write($0, isTable: true, $1) }
        try files.finish()
      }
      progress.update(
        Double(place + 1) / Double(sessions.count),
        detail: localized("\(place + 1) session", "\(place + 1) sessions", count: place + 1))
    }
  }
}

/// The unfinished files of an export in a folder and its subfolders.
struct ExportFolder {
  let folder: String
  private let replacing: Bool
  /// Unfinished files, and whether they did not exist before.
  private var files: [(file: OutputFile, isNew: Bool)] = []
  /// Folders that did not exist before, outermost first.
  private var created: [String] = []

  init(_ folder: String, replacing: Bool) {
    (self.folder, self.replacing) = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder, replacing)
  }

  /// The content of an existing file.
  func content(_ path: String) throws -> [UInt8]? {
    guard let source = try ByteSource.existing("\(folder)/\(path)") else { return nil }
    guard let bytes = try source.readAll(limit: Self.largestTable) else {
      throw CommandFailure(
        .badData, Phrase("\("\(folder)/\(path)".printable) is larger than \(Self.largestTable >> 20) MiB"))
    }
    return bytes
  }

  private static let largestTable = 64 << 20

  /// - Parameter isTable: whether an existing file is replaced, because the content is merged with it.
  mutating func write(_ path: String, isTable: Bool = false, _ content: (ByteSink) throws -> Void) throws {
    var parent = folder
    try create(parent)
    for part in path.split(separator: "/").dropLast() {
      parent += "/\(part)"
      try create(parent)
    }
    let name = "\(folder)/\(path)"
    let isNew = unsafe access(name, F_OK) != 0
    let file = try OutputFile(path: name, replacing: replacing || isTable)
    files.append((file, isNew))
    try content { try file.append($0) }
  }

  private mutating func create(_ path: String) throws {
    let isNew = unsafe access(path, F_OK) != 0
    try Folder.create(path)
    if isNew { created.append(path) }
  }

  /// Renames the files into place. If one fails, those before it that are new are removed.
  mutating func finish() throws {
    var done: [String] = []
    do {
      while !files.isEmpty {
        let (file, isNew) = files.removeFirst()
        try file.finish()
        if isNew { done.append(file.path) }
      }
    } catch {
      for path in done { unsafe unlink(path) }
      throw error
    }
  }

  /// Removes the files and the folders that were created.
  mutating func discard() {
    for (file, _) in files { file.discard() }
    for path in created.reversed() { unsafe rmdir(path) }
    files = []
  }
}
