import HRV

/// The time of a session in which the person was asleep or lay quietly, as far as stillness and heart rate show it.
///
/// Each minute has evidence for sleep: how far its heart rate is below a limit between sleep and wakefulness, and how still it is, by
/// acceleration or otherwise by the steadiness of the heart rate. The window is the series of minutes with the largest sum of evidence.
/// docs/design/night.md states the definition and its properties.
package struct SleepWindow: Equatable, Sendable {
  /// Minutes since the start of the session.
  package let minutes: Range<Int>
  /// The minutes at which the window can begin, because their sum of evidence is almost as large.
  package let starts: ClosedRange<Int>
  /// The minutes at which the window can end.
  package let ends: ClosedRange<Int>
  /// Whether the data begin with the window: the person may have been asleep before.
  package let beginsWithData: Bool
  /// Whether the data end with the window: the person may have slept on.
  package let endsWithData: Bool
  /// Lowest mean heart rate of two hours in bpm.
  let restingHeartRate: Double
  /// Fraction of the minutes that are still, or whose heart rate is steady.
  let quiet: Double

  /// Shortest window in minutes.
  package static let shortest = 180
  /// Longest window in minutes: a longer one is a person at rest, not a night.
  package static let longest = 16 * 60
  /// An edge at most this many minutes from the first or the last minute with data is one with the data.
  private static let tolerance = 5
  /// Evidence, in minutes, that the sum may lack at another edge.
  private static let uncertainty = 6.0
  /// Evidence against sleep, in minutes, that ends a window.
  private static let interruption = 90.0

  /// Finds the window with the most evidence.
  init?(_ evidence: SleepEvidence) {
    let sums = evidence.sums
    var (lowest, best, total, peak) = (0, 0..<0, 0.0, 0.0)
    for end in sums.indices.dropFirst() {
      if sums[end - 1] < sums[lowest] || sums[end - 1] < peak - Self.interruption {
        (lowest, peak) = (end - 1, sums[end - 1])
      }
      peak = max(peak, sums[end])
      if sums[end] - sums[lowest] > total { (best, total) = (lowest..<end, sums[end] - sums[lowest]) }
    }
    guard (Self.shortest...Self.longest).contains(best.count) else { return nil }
    minutes = best
    let least = total - Self.uncertainty
    let (first, last) = Self.reach(best, sums)
    let starts = (first..<best.upperBound).filter { sums[best.upperBound] - sums[$0] >= least }
    let ends = (best.lowerBound + 1...last).filter { sums[$0] - sums[best.lowerBound] >= least }
    self.starts = (starts.first ?? best.lowerBound)...(starts.last ?? best.lowerBound)
    self.ends = (ends.first ?? best.upperBound)...(ends.last ?? best.upperBound)
    beginsWithData = best.lowerBound - evidence.known.lowerBound <= Self.tolerance
    endsWithData = evidence.known.upperBound - best.upperBound <= Self.tolerance
    restingHeartRate = evidence.reference
    let known = evidence.quiet[best].compactMap(\.self)
    quiet = known.isEmpty ? 0 : Double(known.count { $0 }) / Double(known.count)
  }

  /// The earliest start and the latest end of a window without an interruption between them and the window.
  private static func reach(_ window: Range<Int>, _ sums: [Double]) -> (start: Int, end: Int) {
    let (before, after) = (sums[...window.lowerBound], sums[window.upperBound...])
    let start = before.lastIndex { $0 > sums[window.lowerBound] + interruption }
    let end = after.firstIndex { $0 < sums[window.upperBound] - interruption }
    return (start ?? 0, end ?? sums.count - 1)
  }

  private init(_ window: SleepWindow, moved offset: Int) {
    minutes = window.minutes.lowerBound + offset..<window.minutes.upperBound + offset
    starts = window.starts.lowerBound + offset...window.starts.upperBound + offset
    ends = window.ends.lowerBound + offset...window.ends.upperBound + offset
    (beginsWithData, endsWithData) = (window.beginsWithData, window.endsWithData)
    (restingHeartRate, quiet) = (window.restingHeartRate, window.quiet)
  }

  /// The windows of a session by time: the one with the most evidence, and those in the hours before and after it, whose lowest heart
  /// rate is at most a fifth higher.
  static func all(in minutes: [NightMinute]) -> [SleepWindow] {
    all(in: minutes, 0..<minutes.count, limit: .infinity)
  }

  /// Shortest time between two windows in minutes.
  private static let between = 60
  private static let highestFurther = 1.2

  private static func all(in minutes: [NightMinute], _ range: Range<Int>, limit: Double) -> [SleepWindow] {
    guard let evidence = SleepEvidence(minutes[range]), evidence.reference <= limit,
      let window = SleepWindow(evidence).map({ SleepWindow($0, moved: range.lowerBound) })
    else { return [] }
    let limit = min(limit, highestFurther * window.restingHeartRate)
    let before = range.lowerBound..<max(range.lowerBound, window.starts.lowerBound - between)
    let after = min(range.upperBound, window.ends.upperBound + between)..<range.upperBound
    return all(in: minutes, before, limit: limit) + [window] + all(in: minutes, after, limit: limit)
  }
}

/// The evidence for sleep of each minute of a part of a session.
struct SleepEvidence {
  /// Element `i` is the sum of the evidence of the first `i` minutes.
  let sums: [Double]
  /// Whether each minute is still or has a steady heart rate, if that is known.
  let quiet: [Bool?]
  /// From the first to the last minute with a heart rate.
  let known: Range<Int>
  /// Lowest mean heart rate of two hours in bpm.
  let reference: Double

  private static let referenceMinutes = 120

  /// The limit is the heart rate between the two levels of the session, within these factors of the reference.
  private static let limits = 1.1...1.25
  /// A difference of this fraction of the reference from the limit is full evidence.
  private static let fullDifference = 0.1
  /// A change of the heart rate from minute to minute of this fraction of the reference is evidence neither for nor against sleep.
  private static let steadiness = 0.04
  private static let steadyWeight = 0.5
  /// Fraction of still seconds that is evidence neither for nor against sleep, and its distance from full evidence.
  private static let (leastStill, stillRange) = (0.75, 0.25)
  /// Evidence of a minute without a heart rate in the first hour of a gap, and after it.
  private static let (gap, longGap) = (-0.1, -1.0)
  private static let longestGap = 60

  init?(_ minutes: ArraySlice<NightMinute>) {
    let rates = minutes.map(\.heartRate)
    let smooth = rates.indices.map { Self.median(rates, around: $0, reach: 2, least: 2) }
    guard let first = smooth.firstIndex(where: { $0 != nil }),
      let last = smooth.lastIndex(where: { $0 != nil }),
      let reference = Self.reference(smooth)
    else { return nil }
    self.reference = reference
    known = first..<last + 1
    let limit = Self.limit(smooth.compactMap(\.self), reference)
    let stillness = Self.stillness(minutes.map(\.still), Self.changes(rates), reference)
    quiet = stillness.map { $0.map { $0 > 0 } }
    var (sum, sums, unknown) = (0.0, [0.0], 0)
    for (rate, stillness) in zip(smooth, stillness) {
      if let rate {
        sum += Self.clamp((limit - rate) / (Self.fullDifference * reference)) + (stillness ?? 0)
        unknown = 0
      } else {
        unknown += 1
        sum += unknown > Self.longestGap ? Self.longGap : Self.gap
      }
      sums.append(sum)
    }
    self.sums = sums
  }

  /// The evidence of each minute from acceleration if it is known, otherwise from the changes of the heart rate.
  private static func stillness(_ still: [Double?], _ changes: [Double?], _ reference: Double) -> [Double?] {
    still.indices.map { place in
      if let still = mean(still, around: place, reach: 2) {
        return clamp((still - leastStill) / stillRange)
      }
      let change = median(changes, around: place, reach: 5, least: 4)
      return change.map { steadyWeight * clamp(1 - $0 / (steadiness * reference)) }
    }
  }

  private static func clamp(_ value: Double) -> Double { min(max(value, -1), 1) }

  /// The absolute difference of the heart rate of each minute from that of the next one.
  private static func changes(_ rates: [Double?]) -> [Double?] {
    rates.indices.map { place in
      guard place + 1 < rates.count, let rate = rates[place], let next = rates[place + 1] else { return nil }
      return abs(next - rate)
    }
  }

  private static func near(_ values: [Double?], _ place: Int, _ reach: Int) -> [Double] {
    values[max(0, place - reach)..<min(values.count, place + reach + 1)].compactMap(\.self)
  }

  private static func median(_ values: [Double?], around place: Int, reach: Int, least: Int) -> Double? {
    let near = near(values, place, reach)
    return near.count >= least ? near.median : nil
  }

  private static func mean(_ values: [Double?], around place: Int, reach: Int) -> Double? {
    let near = near(values, place, reach)
    return near.isEmpty ? nil : near.reduce(0, +) / Double(near.count)
  }

  /// The lowest mean of two hours of which two thirds are known, in bpm.
  private static func reference(_ rates: [Double?]) -> Double? {
    var (sum, count) = (0.0, 0)
    var lowest: Double?
    for (place, rate) in rates.enumerated() {
      if let rate { (sum, count) = (sum + rate, count + 1) }
      if place >= referenceMinutes, let old = rates[place - referenceMinutes] {
        (sum, count) = (sum - old, count - 1)
      }
      guard 3 * count >= 2 * referenceMinutes else { continue }
      lowest = min(lowest ?? .infinity, sum / Double(count))
    }
    return lowest
  }

  /// The middle between the two levels that divide the heart rates with the least variance within them (Otsu 1979).
  private static func limit(_ rates: [Double], _ reference: Double) -> Double {
    let sorted = rates.sorted()
    let total = sorted.reduce(0, +)
    var (low, best, middle) = (0.0, -1.0, 0.0)
    for (place, rate) in sorted.dropLast().enumerated() {
      low += rate
      let (below, above) = (Double(place + 1), Double(sorted.count - place - 1))
      let difference = (total - low) / above - low / below
      if below * above * difference * difference > best {
        best = below * above * difference * difference
        middle = (low / below + (total - low) / above) / 2
      }
    }
    return min(max(middle, limits.lowerBound * reference), limits.upperBound * reference)
  }
}
