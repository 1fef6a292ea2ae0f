import History
import Localization
import Platform
import Reports
import Session
import Stress
import Terminal

extension NormalPosition {
  /// - Parameter today: in days since 1970-01-01.
  init(_ range: NormalRange, today: Int = LocalZone.today) { self.init { range.phrase($0, today: today) } }
}

extension SessionSetup {
  /// The normal range at rest of the session's profile today, if there are enough data and the history can be read. Also
  /// available for a session that is not stored.
  var normalRange: NormalRange? {
    guard let location = history, let reader = try? HistoryReader(location) else { return nil }
    return try? reader.restingRange(of: profile, on: LocalZone.today)
  }

  /// The position in ``normalRange``, in words.
  var normalPosition: NormalPosition? { normalRange.map { NormalPosition($0) } }
}
