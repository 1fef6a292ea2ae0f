import Synchronization

/// What has to be told while a session runs: a disk that fills up, a store that waits.
///
/// On the screen it stands in a line of its own until it is settled; elsewhere it goes to standard error at once.
final class Notices: Sendable {
  /// What a notice is about; a newer one about the same replaces it.
  enum Subject: CaseIterable, Sendable {
    case recording
    case store
    case reading
  }

  private let standing = Mutex<[Subject: String]>([:])
  private let onScreen: Bool

  init(onScreen: Bool) { self.onScreen = onScreen }

  /// Tells `text`; nil settles what was told before, with `settled` as the good news.
  func tell(_ subject: Subject, _ text: String?, settled: String = "") {
    let before = standing.withLock { notices in
      defer { notices[subject] = text }
      return notices[subject]
    }
    guard !onScreen, text != before else { return }
    if let text { say("stressmon: \(text)") } else if before != nil { say("stressmon: \(settled)") }
  }

  /// What stands now.
  var current: [String] {
    standing.withLock { notices in Subject.allCases.compactMap { notices[$0] } }
  }
}
