import History
import Recording
import Terminal

/// Where exported bytes go: standard output, one file for all sessions, or a file for each. Files appear when all of them
/// are whole.
struct ExportOutlets {
  private let output: String
  private let replacing: Bool
  /// Whether each session goes to a file of its own, named after it.
  let isSplit: Bool
  private var file: OutputFile?
  private var whole: [OutputFile] = []
  private var bytes = 0

  /// - Parameter holdsSeveral: Whether one file can hold all `sessions`.
  /// - Throws: ``CommandFailure`` where several sessions would go to standard output that cannot stand in one file.
  init(output: String, replacing: Bool, sessions: Int, holdsSeveral: Bool) throws {
    self.output = output
    self.replacing = replacing
    isSplit = sessions > 1 && !holdsSeveral
    if isSplit, output == "-" {
      throw CommandFailure(
        .usage,
        "\(sessions) sessions are meant, and each needs a file of its own: name a file with --output, or one session with "
          + "--session ID")
    }
    // Before the work: nobody waits for a file that cannot be.
    if output != "-", !isSplit { file = try OutputFile(path: output, replacing: replacing) }
  }

  /// Writes a part of what belongs to `session`; nil: to all.
  mutating func write(_ part: [UInt8], of session: SessionID?) throws {
    guard output != "-" else { return try StandardOutput().write(part) }
    if isSplit, file == nil {
      file = try OutputFile(path: path(of: session), replacing: replacing)
    }
    try file?.append(part)
    bytes += part.count
  }

  /// What comes next belongs to another session.
  mutating func finishSession() {
    guard isSplit, let done = file else { return }
    whole.append(done)
    file = nil
  }

  mutating func finish() throws {
    whole += [file].compactMap { $0 }
    file = nil
    while !whole.isEmpty {
      // Taken out first: it is finished or gone, whatever comes of it.
      let next = whole.removeFirst()
      try next.finish()
      say("stressmon: wrote \(next.path.printable)")
    }
  }

  mutating func discard() {
    for file in whole + [file].compactMap({ $0 }) { file.discard() }
    (whole, file) = ([], nil)
  }

  /// `run.fit` becomes `run-01K....fit`.
  private func path(of session: SessionID?) -> String {
    let name = session?.text ?? ""
    let start = output.lastIndex(of: "/").map(output.index(after:)) ?? output.startIndex
    guard let point = output[start...].lastIndex(of: "."), point > start else { return "\(output)-\(name)" }
    return "\(output[..<point])-\(name)\(output[point...])"
  }
}
