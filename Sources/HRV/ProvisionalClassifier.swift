public import HeartRate

/// Classifies each RR interval immediately, using past intervals only.
///
/// - Longer than 3 s: `gap`. Below 300 ms: `short`. Above 2000 ms: `long`, or `missed`.
/// - Compared with the last normal interval, an increase of more than 32.5 % or a decrease of more than 24.5
///   % is not normal (Kamath & Fallen 1995). The type depends on the size and on the preceding intervals.
/// - Two successive intervals that add up to one usual interval are both `extra`: a false detection between
///   two beats.
/// - A short interval followed by a long one is a premature beat with its compensatory pause, even if neither
///   exceeds a limit.
/// - An increase to at most 1.5 times the previous interval is normal if the previous interval is normal and
///   not shorter than the interval before it: the sinus rhythm was already slowing down.
/// - Otherwise an interval close to the previous one is normal: two similar intervals are a new level, not an
///   artefact.
///
/// The verdicts are provisional: each is returned immediately and never revised. The verdict on a premature beat is often
/// available only with its pause; ``followsPrematureBeat`` then states that the interval before the pause is not normal.
///
///     var classifier = ProvisionalClassifier()
///     for rr in [800, 800, 700, 920] { classifier.classify(RRInterval(ticks: rr * 80_000)) }  // the last one: ectopic
///     classifier.followsPrematureBeat  // true: the interval of 700 ms ended early
public struct ProvisionalClassifier: Sendable {
  /// Whether the last interval is not normal and shows that the interval before it, which was classified as normal, ended
  /// with a premature beat: that interval is at most 92 % of the normal interval before it, and the last one is longer than
  /// that.
  public private(set) var followsPrematureBeat = false
  /// In ticks, as all intervals here.
  private var lastNormal: Int64?
  /// The normal interval before ``lastNormal``.
  private var normalBefore: Int64?
  private var previous: Int64?
  /// The interval before the previous one, in ticks.
  private var earlier: Int64?
  private var previousVerdict = Verdict.normal
  /// Whether the previous interval was classified as normal. The verdict after two halves differs from it.
  private var isPreviousNormal = false

  private static let gapTicks = 3 * RRInterval.ticksPerSecond
  private static let range = 300 * RRInterval.ticksPerMillisecond...2000 * RRInterval.ticksPerMillisecond

  public init() {}

  /// Returns the verdict on the next interval.
  /// - Complexity: O(1); no allocation.
  @discardableResult
  public mutating func classify(_ rr: RRInterval) -> Verdict {
    let isOtherHalf = isOtherHalf(rr.ticks)
    let verdict = isOtherHalf ? .extra : verdict(rr.ticks)
    followsPrematureBeat = !verdict.isNormal && verdict != .gap && revealsPrematureBeat(rr.ticks)
    // The premature interval is no reference for the intervals after its pause.
    if followsPrematureBeat { lastNormal = normalBefore }
    earlier = previous
    switch verdict {
    case .gap:
      reset()
    case .normal:
      normalBefore = lastNormal
      lastNormal = rr.ticks
      previous = rr.ticks
    default:
      previous = Self.range.contains(rr.ticks) ? rr.ticks : nil
    }
    // Two halves form one interval: a third similar interval is a new level.
    previousVerdict = isOtherHalf ? .normal : verdict
    isPreviousNormal = verdict.isNormal
    return verdict
  }

  /// Resets the classifier after missing data: the next interval has no predecessor.
  public mutating func reset() {
    followsPrematureBeat = false
    lastNormal = nil
    normalBefore = nil
    previous = nil
    earlier = nil
    previousVerdict = .normal
    isPreviousNormal = false
  }

  // Inlined, because a call would copy the classifier.
  @inline(__always)
  private func verdict(_ rr: Int64) -> Verdict {
    if rr > Self.gapTicks { return .gap }
    if rr < Self.range.lowerBound { return .short }
    if rr > Self.range.upperBound { return isMultiple(rr) ? .missed : .long }
    if isPause(rr) { return .ectopic }
    guard let lastNormal, !isNear(rr, to: lastNormal) else { return .normal }
    if let previous, isNear(rr, to: previous) { return .normal }
    return rr > lastNormal ? classifyLong(rr) : classifyShort(rr, after: lastNormal)
  }

  /// Whether the change from `reference` is within the limits of Kamath & Fallen (1995): +32.5 % and -24.5 %.
  private func isNear(_ rr: Int64, to reference: Int64) -> Bool {
    let change = 1000 * (rr - reference)
    return change <= 325 * reference && change >= -245 * reference
  }

  /// Whether the interval is the compensatory pause after a premature beat that did not exceed a limit
  /// itself: a rise of more than 20 % after a drop of more than 8 %, to more than 6 % above the level before
  /// the drop, with a sum close to two intervals. docs/design/validation.md lists the resulting detections.
  private func isPause(_ rr: Int64) -> Bool {
    guard let earlier, let previous else { return false }
    // The rarest condition first.
    return 5 * (rr - previous) > earlier && 25 * (earlier - previous) > 2 * earlier
      && 50 * rr > 53 * earlier && 5 * (rr + previous) <= 11 * earlier
  }

  /// Whether the previous interval is normal and shortened by more than 8 % from the normal interval before it, and this one
  /// is longer than that.
  private func revealsPrematureBeat(_ rr: Int64) -> Bool {
    guard isPreviousNormal, let previous, let normalBefore else { return false }
    return rr > normalBefore && 25 * previous < 23 * normalBefore
  }

  /// Whether the interval continues a deceleration of the sinus rhythm that began before it.
  private func isDeceleration(_ rr: Int64) -> Bool {
    guard previousVerdict == .normal, let earlier, let previous else { return false }
    return previous >= earlier && 2 * rr <= 3 * previous
  }

  /// Classifies a long interval: `normal` in a deceleration, `ectopic` if it is the pause after a premature
  /// beat, `missed` if it is about twice the usual length.
  private func classifyLong(_ rr: Int64) -> Verdict {
    if isDeceleration(rr) { return .normal }
    if previousVerdict == .ectopic || previousVerdict == .extra { return .ectopic }
    return isMultiple(rr) ? .missed : .long
  }

  /// Classifies a short interval: `extra` if it is at most half the usual length, otherwise premature.
  private func classifyShort(_ rr: Int64, after reference: Int64) -> Verdict {
    2 * rr <= reference ? .extra : .ectopic
  }

  /// Whether this interval and the preceding extra interval add up to one usual interval.
  @inline(__always)
  private func isOtherHalf(_ rr: Int64) -> Bool {
    guard previousVerdict == .extra, Self.range.contains(rr), let previous, let lastNormal else {
      return false
    }
    return isNear(previous + rr, to: lastNormal)
  }

  private func isMultiple(_ rr: Int64) -> Bool {
    guard let lastNormal else { return false }
    let pairs = (rr + lastNormal / 2) / lastNormal
    return pairs >= 2 && isNear(rr / pairs, to: lastNormal)
  }
}
