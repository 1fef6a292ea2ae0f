import HeartRate

/// The provisional verdicts around each interval, for ``ArtefactClassifier`` where ectopic beats are frequent.
///
/// The thresholds of the final classification adapt to the quartiles of 91 neighbours. If more than one in ten of these is
/// abnormal, the quartiles consist of differences next to ectopic beats and mask all of them. Provisional verdicts have
/// fixed limits, which frequent ectopic beats do not change.
///
/// - Complexity: O(1) per interval, amortised; no allocation after initialisation.
struct FrequentEctopicBeats: Sendable {
  private var classifier = ProvisionalClassifier()
  /// Verdicts on the newest intervals; the element `i & mask` belongs to the interval `i`. The interval before a pause is
  /// ectopic once the pause has arrived.
  private var verdicts = Array(repeating: Verdict.normal, count: mask + 1)
  /// Number of intervals.
  private var count = 0
  /// The neighbours that ``abnormal`` counts.
  private var window = 0..<0
  private var abnormal = 0

  /// At least the number of intervals between the oldest neighbour and the newest interval, as a power of two minus one.
  private static let mask = 255
  /// Number of abnormal neighbours below which ectopic beats are not frequent, whatever the number of neighbours: the two
  /// intervals of one premature beat prove nothing.
  private static let fewest = 3

  mutating func removeAll() {
    classifier.reset()
    (count, window, abnormal) = (0, 0..<0, 0)
  }

  mutating func append(_ rr: RRInterval) {
    verdicts[count & Self.mask] = classifier.classify(rr)
    if classifier.followsPrematureBeat { verdicts[(count - 1) & Self.mask] = .ectopic }
    count += 1
  }

  /// Returns the provisional verdict on an interval if more than `fraction` of its neighbours are abnormal, otherwise
  /// `normal`. Neither bound of `neighbours` may be less than in the previous call.
  mutating func verdict(on place: Int, amid neighbours: Range<Int>, above fraction: Double) -> Verdict {
    for index in window.upperBound..<neighbours.upperBound where !self[index].isNormal { abnormal += 1 }
    for index in window.lowerBound..<neighbours.lowerBound where !self[index].isNormal { abnormal -= 1 }
    window = neighbours
    let isFrequent = abnormal >= Self.fewest && Double(abnormal) > fraction * Double(neighbours.count)
    return isFrequent ? self[place] : .normal
  }

  private subscript(_ index: Int) -> Verdict { verdicts[index & Self.mask] }
}
