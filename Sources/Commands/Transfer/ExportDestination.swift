import Formats
import FoundationEssentials
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Terminal

/// The destination of an export: standard output, one file for all sessions, or one file per session. Files are renamed
/// into place after all of them are complete.
struct ExportDestination {
  private let output: String
  private let format: ExportFormat
  private let replacing: Bool
  /// Whether each session is written to a separate file.
  let isSplit: Bool
  /// The names of the files in a folder, by session, without extension.
  private let names: SessionFileNames
  private var file: OutputFile?
  private var completed: [OutputFile] = []
  private var bytes = 0

  /// - Parameters:
  ///   - output: `-`, a file, or a folder (an existing one, or a path that ends with `/`, which is created).
  ///   - sessions: all sessions to be written.
  /// - Throws: ``CommandFailure`` if the output is `-` and each of several sessions requires a separate file.
  init(output: String, replacing: Bool, sessions: [SessionInfo], format: ExportFormat) throws {
    isSplit = sessions.count > 1 && !format.holdsSeveral
    names = SessionFileNames(sessions)
    if output.hasSuffix("/"), output != "/" { try Folder.create(String(output.dropLast())) }
    self.output = Self.isFolder(output) ? Self.path(in: output, names, isSplit, format) : output
    self.format = format
    self.replacing = replacing
    if isSplit, output == "-" {
      throw CommandFailure(
        .usage,
        Phrase(
          """
          \(sessions.count) sessions are selected, and each requires a separate file: name a folder with --output \
          FOLDER/, or one session with --session ID
          """))
    }
    // Opens the file before the export, because an error must be reported immediately.
    if output != "-", !isSplit { file = try OutputFile(path: self.output, replacing: replacing) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return path.hasSuffix("/")
      || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// The file in `folder`, named by the start of the first session. The folder alone if there is one file per session.
  private static func path(
    in folder: String, _ names: SessionFileNames, _ isSplit: Bool, _ format: ExportFormat
  ) -> String {
    let folder = folder.hasSuffix("/") ? folder : folder + "/"
    let name = format.isDaily ? format.rawValue : names.first
    return isSplit ? folder : "\(folder)\(name).\(format.fileExtension)"
  }

  /// Appends bytes of `session`, or bytes that belong to all sessions, such as a heading.
  mutating func write(_ part: [UInt8], of session: SessionID?) throws {
    guard output != "-" else { return try StandardOutput().write(part) }
    if isSplit, file == nil {
      file = try OutputFile(path: path(of: session), replacing: replacing)
    }
    try file?.append(part)
    bytes += part.count
  }

  /// The name of the file of `session`, without folder and extension.
  func name(of session: SessionID?) -> String {
    let path = isSplit ? path(of: session) : output
    let name = path.split(separator: "/").last ?? ""
    return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
  }

  /// Writes a file next to that of `session`, with another extension.
  mutating func writeSibling(
    _ fileExtension: String, of session: SessionID?, _ content: (ByteSink) throws -> Void
  ) throws {
    let path = isSplit ? path(of: session) : output
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let sibling = try OutputFile(
      path: "\(folder)\(name(of: session)).\(fileExtension)", replacing: replacing)
    completed.append(sibling)
    try content { try sibling.append($0) }
  }

  /// Completes the file of the current session.
  mutating func finishSession() {
    guard isSplit, let done = file else { return }
    completed.append(done)
    file = nil
  }

  mutating func finish() throws {
    completed += [file].compactMap { $0 }
    file = nil
    while !completed.isEmpty {
      // Removed first: `discard` must not affect a file whose `finish` failed.
      let next = completed.removeFirst()
      try next.finish()
      printDiagnostic("stressmon: " + localized("wrote \(next.path.printable)"))
    }
  }

  mutating func discard() {
    for file in completed + [file].compactMap({ $0 }) { file.discard() }
    (completed, file) = ([], nil)
  }

  /// `run.fit` becomes `run-01K....fit`, `run` becomes `run-01K....EXTENSION`, and `DIR/` becomes `DIR/DATE_TIME.EXTENSION`.
  private func path(of session: SessionID?) -> String {
    let name = session?.text ?? ""
    guard !output.hasSuffix("/") else {
      return "\(output)\(session.map { names[$0] } ?? names.first).\(format.fileExtension)"
    }
    let start = output.lastIndex(of: "/").map(output.index(after:)) ?? output.startIndex
    guard let point = output[start...].lastIndex(of: "."), point > start else {
      return "\(output)-\(name).\(format.fileExtension)"
    }
    return "\(output[..<point])-\(name)\(output[point...])"
  }
}

/// The names of exported files, without extension: the local date and time of the start, `2026-11-20_07-30-00`, which
/// `import` reads from names. Sessions that start in the same second have their ID in addition.
struct SessionFileNames {
  private let names: [SessionID: String]
  /// The name of the first session, or `sessions` without sessions.
  let first: String

  init(_ sessions: [SessionInfo]) {
    let starts = sessions.map { Self.text($0.started) }
    let counts = Dictionary(starts.map { ($0, 1) }, uniquingKeysWith: +)
    names = Dictionary(
      zip(sessions, starts).map { session, start in
        (session.id, counts[start] == 1 ? start : "\(start)_\(session.id.text)")
      }
    ) { first, _ in first }
    first = starts.first ?? "sessions"
  }

  subscript(session: SessionID) -> String { names[session] ?? session.text }

  private static func text(_ time: WallTime) -> String {
    String(LocalZone.text(time).map { $0 == " " ? "_" : $0 == ":" ? "-" : $0 })
  }
}
