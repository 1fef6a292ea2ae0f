internal import HeartRate
internal import History

/// The sessions that a receiver publishes again, with the suffixes of their message IDs.
struct Repetitions {
  /// In ns. Requests for the same session within this time are ignored, because its messages may be on the way.
  private static let interval: Int64 = 60_000_000_000

  private var latest: [SessionID: (suffix: Int64, at: Int64)] = [:]

  /// The suffix of the IDs of a session; nil for one that is published for the first time.
  func suffix(of session: SessionID) -> Int64? { latest[session]?.suffix }

  /// Whether a session is published again because of a request that arrives at `now`, in ns of the boot clock.
  func accepts(_ session: SessionID, at now: Int64) -> Bool {
    latest[session].map { now - $0.at >= Self.interval } ?? true
  }

  /// Records that the session is published again with IDs that contain `time`.
  mutating func begin(_ session: SessionID, _ time: WallTime, at now: Int64) {
    latest[session] = (time.microseconds / 1_000_000, now)
  }
}
