/// Finds the resting minutes of a session that belong to a night: they describe sleep, in which HRV and heart rate
/// differ from those of waking rest.
///
/// A night is a run of resting minutes of one session between 21:00 and 09:00 local time that spans at least three hours and
/// of which at least a third is rest. A shorter evening of rest, or one with much movement, is waking rest.
package enum NightRest {
  private static let evening = 21 * 3600
  private static let morning = 9 * 3600
  private static let day = 86_400
  /// Shortest span of a night in seconds.
  private static let shortest = 3 * 3600
  /// Least fraction of the span that is rest.
  private static let leastRest = 1 / 3.0

  /// Returns whether each resting minute belongs to a night.
  /// - Parameter ends: the local times at which the minutes of one session end, in seconds since midnight of an arbitrary day, in
  ///   ascending order.
  package static func isNight(_ ends: [Int]) -> [Bool] {
    let nights = ends.map(night)
    var result = [Bool](repeating: false, count: ends.count)
    var start = 0
    while start < ends.count {
      let end = nights[start...].firstIndex { $0 != nights[start] } ?? ends.count
      if nights[start] != nil, isSleep(ends[start..<end]) {
        result.replaceSubrange(start..<end, with: repeatElement(true, count: end - start))
      }
      start = end
    }
    return result
  }

  private static func isSleep(_ ends: ArraySlice<Int>) -> Bool {
    guard let first = ends.first, let last = ends.last, last - first >= shortest else { return false }
    return Double(60 * ends.count) >= leastRest * Double(last - first)
  }

  /// The day on which the night of a local time began. A time of the day has none.
  private static func night(_ time: Int) -> Int? {
    let sinceEvening = time - evening
    let number = sinceEvening >= 0 ? sinceEvening / day : (sinceEvening - day + 1) / day
    return sinceEvening - number * day < day - evening + morning ? number : nil
  }
}
