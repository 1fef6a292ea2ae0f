/// When `sync --watch` runs the next sync. A value without clock: times are monotonic, in ms.
///
/// A change of the folder or the history starts a sync after ``Limits/quiet`` without further changes of the same source, but after at
/// most ``Limits/longest``, because a live session changes the history every second. A sync itself changes the history, so changes of
/// the history that occur during a sync start only one further sync.
package struct WatchSchedule: Equatable, Sendable {
  package struct Limits: Equatable, Sendable {
    /// Time without changes before a sync (debounce).
    package var quiet: Int64 = 2000
    /// Longest delay of a sync after a change.
    package var longest: Int64 = 10_000
    /// Time between syncs without changes, for file systems without inotify events.
    package var period: Int64 = 300_000
    /// Delay after a failed sync, for example while the folder is not mounted.
    package var retry: Int64 = 30_000

    package init() {}
  }

  package enum Source: CaseIterable, Sendable { case folder, history }

  /// The times of the first and the latest change since the last sync.
  private struct Changes: Equatable, Sendable {
    var first: Int64
    var latest: Int64
  }

  private let limits: Limits
  private var changes: [Source: Changes] = [:]
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
    let due = changes.values.map { min($0.latest + limits.quiet, $0.first + limits.longest) }
    return min(due.min() ?? periodic, periodic)
  }

  package mutating func changed(_ source: Source, at time: Int64) {
    changes[source] = Changes(first: changes[source]?.first ?? time, latest: time)
  }

  /// A sync ended.
  /// - Parameters:
  ///   - hasFailed: Whether it must be repeated.
  ///   - sources: What changed during the sync. Changes of the history may be those of the sync itself.
  package mutating func ended(at time: Int64, hasFailed: Bool, changes sources: Set<Source>) {
    changes = [:]
    periodic = time + (hasFailed ? limits.retry : limits.period)
    guard !hasFailed else { return }
    if sources.contains(.folder) { changed(.folder, at: time) }
    isFollowUp = sources.contains(.history) && !isFollowUp
    if isFollowUp { changed(.history, at: time) }
  }
}
