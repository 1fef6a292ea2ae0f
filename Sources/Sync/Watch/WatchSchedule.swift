/// When `sync --watch` runs the next sync. A value without clock: times are monotonic, in ms.
///
/// A change starts a sync after ``Limits/quiet`` without further changes, but after at most ``Limits/longest``, because a live
/// session changes the history every second. A sync itself changes the history, so changes that occur during a sync start only one
/// further sync.
package struct WatchSchedule: Equatable, Sendable {
  package struct Limits: Equatable, Sendable {
    /// Time without changes before a sync (debounce).
    package var quiet: Int64 = 2000
    /// Longest delay of a sync after a change.
    package var longest: Int64 = 15_000
    /// Time between syncs without changes, for file systems without inotify events.
    package var period: Int64 = 300_000
    /// Delay after a failed sync, for example while the folder is not mounted.
    package var retry: Int64 = 30_000

    package init() {}
  }

  private let limits: Limits
  private var firstChange: Int64?
  private var latestChange: Int64 = 0
  /// The time of the next sync without a change.
  private var periodic: Int64
  private var isFollowUp = false

  /// The first sync is due at `now`.
  package init(now: Int64, limits: Limits = Limits()) {
    self.limits = limits
    periodic = now
  }

  /// The time at which the next sync is due.
  package var due: Int64 {
    guard let firstChange else { return periodic }
    return min(latestChange + limits.quiet, firstChange + limits.longest, periodic)
  }

  package mutating func changed(at time: Int64) {
    firstChange = firstChange ?? time
    latestChange = time
  }

  /// A sync ended.
  /// - Parameters:
  ///   - hasFailed: Whether it must be repeated.
  ///   - changes: Whether files changed during the sync, possibly because of it.
  package mutating func ended(at time: Int64, hasFailed: Bool, changes: Bool) {
    firstChange = nil
    periodic = time + (hasFailed ? limits.retry : limits.period)
    isFollowUp = changes && !isFollowUp && !hasFailed
    if isFollowUp { changed(at: time) }
  }
}
