import HeartRate

/// Assigns beats to R peaks of an electrocardiogram.
///
/// RR intervals arrive up to several seconds after their beats, and the delay varies. Therefore the delay is determined for
/// each minute of beats: the one for which the RR intervals and the intervals between the nearest peaks differ least.
package struct PeakAlignment: Sendable {
  /// Plausible delays of beats in seconds.
  private static let delays = -2.0...8.0
  /// Beats with a common delay.
  private static let group = 60
  /// Largest distance of a beat from its peak, in seconds.
  private static let tolerance = 0.15

  /// Times of the peaks in seconds, ascending.
  private let peaks: [Double]
  private var delay: Double?

  /// The beats that lie within the peaks, by their index, and the index of their peak. Some beats have no peak.
  package private(set) var assigned: [(beat: Int, peak: Int?)] = []

  /// - Parameter peaks: times of successive peaks in seconds of session time, ascending.
  package init(_ beats: [Beat], peaks: [Double]) {
    self.peaks = peaks
    guard peaks.count > 2 else { return }
    for start in stride(from: 0, to: beats.count, by: Self.group) {
      let group = Array(beats[start..<min(start + Self.group, beats.count)])
      guard let delay = delay(of: group) else { continue }
      self.delay = delay
      assign(group, from: start, delay)
    }
  }

  // MARK: Delay

  /// The delay in seconds, if beats of the group are near the peaks.
  private func delay(of beats: [Beat]) -> Double? {
    let candidates = candidates(beats)
    let costs = candidates.map { cost(of: $0, beats) }
    guard let least = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[least] < Self.tolerance else {
      return nil
    }
    return refined(candidates[least], beats)
  }

  /// Candidate delays: the previous delay first, then those at which one of a few beats coincides with a peak.
  private func candidates(_ beats: [Beat]) -> [Double] {
    var found = delay.map { [$0] } ?? []
    for index in stride(from: 0, to: beats.count, by: max(1, beats.count / 6)) {
      let end = beats[index].end.seconds
      var peak = first(notBefore: end - Self.delays.upperBound)
      while peak < peaks.count, peaks[peak] <= end - Self.delays.lowerBound {
        found.append(end - peaks[peak])
        peak += 1
      }
    }
    return found
  }

  /// The mean difference between RR intervals and peaks in seconds, at most ``tolerance`` each.
  private func cost(of delay: Double, _ beats: [Beat]) -> Double {
    var sum = 0.0
    for beat in beats {
      let peak = nearest(beat.end.seconds - delay)
      let distance = (peaks[peak] - beat.end.seconds + delay).magnitude
      guard peak > 0, distance <= Self.tolerance else {
        sum += Self.tolerance
        continue
      }
      sum += min((beat.rr.milliseconds / 1000 - (peaks[peak] - peaks[peak - 1])).magnitude, Self.tolerance)
    }
    return sum / Double(max(beats.count, 1))
  }

  /// The median distance of the beats from their nearest peaks.
  private func refined(_ delay: Double, _ beats: [Beat]) -> Double {
    let distances = beats.map { beat in beat.end.seconds - peaks[nearest(beat.end.seconds - delay)] }
      .filter { ($0 - delay).magnitude <= Self.tolerance }.sorted()
    return distances.isEmpty ? delay : distances[distances.count / 2]
  }

  // MARK: Assignment

  private mutating func assign(_ beats: [Beat], from start: Int, _ delay: Double) {
    for (index, beat) in beats.enumerated() {
      let time = beat.end.seconds - delay
      guard time > peaks[0] - Self.tolerance, time < peaks[peaks.count - 1] + Self.tolerance else { continue }
      let peak = nearest(time)
      let isNear = (peaks[peak] - time).magnitude <= Self.tolerance
      let isFree = assigned.last.map { ($0.peak ?? -1) < peak } ?? true
      assigned.append((start + index, isNear && isFree ? peak : nil))
    }
  }

  private func nearest(_ time: Double) -> Int {
    let next = first(notBefore: time)
    guard next > 0 else { return 0 }
    guard next < peaks.count else { return peaks.count - 1 }
    return peaks[next] - time < time - peaks[next - 1] ? next : next - 1
  }

  /// The index of the first peak at `time` or later; the number of peaks without one.
  private func first(notBefore time: Double) -> Int {
    var (low, high) = (0, peaks.count)
    while low < high {
      let middle = (low + high) / 2
      if peaks[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
