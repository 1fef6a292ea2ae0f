import Formats
import Glibc
import HeartRate
import History
import Platform
import Terminal

/// Writes sessions as a BIDS dataset into a folder.
///
/// The files of a session are renamed into place when all of them are complete, which limits the number of open files.
/// `dataset_description.json`, without which the folder is not a dataset, is the last file.
struct BIDSExport {
  let reader: HistoryReader
  let environment: ProcessEnvironment

  func write(_ sessions: [StoredSession], to folder: String, replacing: Bool) throws {
    var files = ExportFolder(folder, replacing: replacing)
    do {
      try writeAll(sessions, to: &files)
      try files.finish()
    } catch {
      files.discard()
      throw error
    }
    printDiagnostic("stressmon: wrote \(folder.printable)")
  }

  private func writeAll(_ sessions: [StoredSession], to files: inout ExportFolder) throws {
    let progress = ProgressLine("exporting", environment)
    defer { progress.clear() }
    var dataset = BIDSDataset(program: programVersion)
    for (place, session) in sessions.enumerated() {
      let events = reader.events(of: session.info.id)
      let content = try ResearchSession(session, events)
      if content.isEmpty {
        try SessionExport.skip(session, isOnly: sessions.count == 1)
      } else {
        try dataset.write(content, events) { try files.write($0, $1) }
      }
      if let failure = events.failure { throw failure }
      try files.finish()
      progress.update(Double(place + 1) / Double(sessions.count), detail: "\(place + 1) sessions")
    }
    try dataset.finish { try files.write($0, $1) }
  }
}

/// The unfinished files of an export in a folder and its subfolders.
private struct ExportFolder {
  private let folder: String
  private let replacing: Bool
  private var files: [OutputFile] = []
  /// Folders that did not exist before, outermost first.
  private var created: [String] = []

  init(_ folder: String, replacing: Bool) {
    (self.folder, self.replacing) = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder, replacing)
  }

  mutating func write(_ path: String, _ content: (ByteSink) throws -> Void) throws {
    var parent = folder
    try create(parent)
    for part in path.split(separator: "/").dropLast() {
      parent += "/\(part)"
      try create(parent)
    }
    let file = try OutputFile(path: "\(folder)/\(path)", replacing: replacing)
    files.append(file)
    try content { try file.append($0) }
  }

  private mutating func create(_ path: String) throws {
    let isNew = unsafe access(path, F_OK) != 0
    try Folder.create(path)
    if isNew { created.append(path) }
  }

  mutating func finish() throws {
    while !files.isEmpty { try files.removeFirst().finish() }
  }

  /// Removes the files and the folders that were created.
  mutating func discard() {
    for file in files { file.discard() }
    for path in created.reversed() { unsafe rmdir(path) }
    files = []
  }
}
