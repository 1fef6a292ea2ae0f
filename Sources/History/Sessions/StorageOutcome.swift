/// How much of a session and its result is in the history. Each message about storage is derived from this value.
package enum StorageOutcome: Equatable, Sendable {
  /// Everything is stored.
  case stored
  /// The user requested that nothing is stored.
  case declined
  /// The session ended before it had data, such as a scan that found no strap.
  case withoutData
  /// The session is stored; its last events or its result are not, because of the error.
  case partial(HistoryError)
  /// Nothing is stored, because of the error.
  case failed(HistoryError)

  /// Whether the history contains the session, to which results and commands can refer.
  package var hasSession: Bool {
    switch self {
    case .stored, .partial: true
    case .declined, .withoutData, .failed: false
    }
  }

  /// Why data are missing in the history. None are missing if there is no error, or if nothing was to be stored.
  package var error: HistoryError? {
    switch self {
    case .partial(let error), .failed(let error): error
    case .stored, .declined, .withoutData: nil
    }
  }
}
