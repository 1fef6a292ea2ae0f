import HeartRate

/// Reports a new category of the stress value, for sounds: at most one per minute, and only once it has been stable for 10 s.
///
/// The first category of a session is not a change. Values without a category, such as those during movement, are ignored. A pause
/// of more than 10 s starts a pending change again.
package struct CategoryFeedback: Sendable {
  /// Time for which a new category is stable, in seconds; that of the spoken category.
  package static let stability: Int64 = 10
  /// Time between reports in seconds.
  package static let leastDistance: Int64 = 60

  private static let longestPause = Int64(PromptRule.longestPause) * RRInterval.ticksPerSecond

  private var category = Debounced<StressCategory?>(nil, seconds: Self.stability)
  private var reported: (category: StressCategory, at: SessionTime)?
  /// That of the latest category.
  private var time = SessionTime.zero

  package init() {}

  /// Processes a measurement. Returns the category if it is to be reported.
  package mutating func update(_ measurement: StressMeasurement) -> StressCategory? {
    guard let new = measurement.statedCategory else { return nil }
    return update(new, at: measurement.time)
  }

  mutating func update(_ new: StressCategory, at time: SessionTime) -> StressCategory? {
    if time.ticks - self.time.ticks > Self.longestPause { interrupt() }
    self.time = time
    guard let last = reported else {
      category.set(new)
      reported = (new, SessionTime(ticks: time.ticks - Self.leastDistance * RRInterval.ticksPerSecond))
      return nil
    }
    _ = category.update(to: new, at: time)
    guard let settled = category.settled, settled != last.category,
      time.ticks - last.at.ticks >= Self.leastDistance * RRInterval.ticksPerSecond
    else { return nil }
    reported = (settled, time)
    return settled
  }

  /// Starts a pending change again, because the values are not live.
  package mutating func interrupt() { category.set(category.settled) }
}
