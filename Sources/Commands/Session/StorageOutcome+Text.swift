import History
import Localization
import Reports

extension StorageOutcome {
  /// States that the session `id` is stored, with the command that lists the sessions; nil if the history does not contain it.
  func sentence(session id: String, listing command: String) -> Phrase? {
    switch self {
    case .stored: Phrase("Session \(id) is stored. List the sessions with: \(command)")
    case .partial: Phrase("Session \(id) is stored in part. List the sessions with: \(command)")
    case .declined, .withoutData, .failed: nil
    }
  }

  /// Where a running session is stored, for the footer of its screen.
  /// - Parameters:
  ///   - paths: of the history, and of the recording.
  ///   - delayed: those that cannot be written at present, for example on a full disk.
  static func destination(
    _ paths: (history: String?, file: String?), delayed: Set<String> = []
  ) -> [Phrase] {
    let all = [paths.history, paths.file].compactMap(\.self)
    let written = all.filter { !delayed.contains($0) }
    let stored =
      switch written.count {
      case 0: all.isEmpty ? [Phrase("Nothing is stored.")] : []
      case 1: [Phrase("Stored in \(written[0]).")]
      default: [Phrase("Stored in \(written[0]) and \(written[1]).")]
      }
    return stored + all.filter(delayed.contains).map { Phrase("Not yet stored in \($0).") }
  }
}
