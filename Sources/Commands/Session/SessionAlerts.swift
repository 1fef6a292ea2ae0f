import Synchronization
import Terminal

/// What has to be told while a session runs: a disk that fills up, a store that waits.
///
/// On the screen it stands in a line of its own until it is settled; elsewhere it goes to standard error at once.
final class SessionAlerts: Sendable {
  /// What a notice is about; a newer one about the same replaces it.
  enum Subject: CaseIterable, Sendable {
    case recording
    case store
    case reading
    /// The session itself, which has come to its end.
    case session
  }

  private let standing = Mutex<[Subject: String]>([:])
  private let onScreen: Bool
  /// Which session it is, where there are several.
  private let label: String

  init(onScreen: Bool, label: String? = nil) {
    self.onScreen = onScreen
    self.label = label.map { "\($0.printable): " } ?? ""
  }

  /// Tells `text`; nil settles what was told before, with `settled` as the good news.
  func tell(_ subject: Subject, _ text: String?, settled: String = "") {
    let before = standing.withLock { notices in
      defer { notices[subject] = text }
      return notices[subject]
    }
    guard !onScreen, text != before else { return }
    if let text { printLabelled(text) } else if before != nil { printLabelled(settled) }
  }

  private func printLabelled(_ text: String) { printDiagnostic("stressmon: \(label)\(text)") }

  /// What stands now.
  var current: [String] {
    standing.withLock { notices in Subject.allCases.compactMap { notices[$0] } }
  }
}
