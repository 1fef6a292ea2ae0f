import HeartRate
import History
import Platform

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
