public import HeartRate

/// Judges each RR interval as it comes, from past intervals alone.
///
/// - Longer than 3 s: `gap`. Below 300 ms: `short`. Above 2000 ms: `long`, or `missed`.
/// - Against the last normal interval, an increase of more than 32.5 % or a decrease of more than 24.5 % is not
///   normal (Kamath & Fallen 1995). What kind it is follows from its size, and from what came before it.
/// - Two in a row that make up one usual interval are `extra` both: something between two beats was detected.
/// - Short and then long is a premature beat with its pause, even where neither stands out by itself.
/// - Otherwise an interval near the one before it is normal: two alike in a row are a new level, not an artefact.
///
/// The verdict is provisional. It is given at once and never taken back.
public struct BeatJudge: Sendable {
  private var lastNormal: Int64?
  private var previous: Int64?
  /// The interval before the previous one.
  private var earlier: Int64?
  private var previousVerdict = Verdict.normal

  private static let gapTicks = 3 * RRInterval.ticksPerSecond
  private static let range = 300 * RRInterval.ticksPerMillisecond...2000 * RRInterval.ticksPerMillisecond

  public init() {}

  /// The verdict on the interval that follows those given before.
  /// - Complexity: O(1); allocates nothing.
  public mutating func judge(_ rr: RRInterval) -> Verdict {
    let isOtherHalf = isOtherHalf(rr.ticks)
    let verdict = isOtherHalf ? .extra : verdict(rr.ticks)
    earlier = previous
    switch verdict {
    case .gap:
      forget()
    case .normal:
      lastNormal = rr.ticks
      previous = rr.ticks
    default:
      previous = Self.range.contains(rr.ticks) ? rr.ticks : nil
    }
    // Two halves make a whole: a third one alike is a new level.
    previousVerdict = isOtherHalf ? .normal : verdict
    return verdict
  }

  /// Forgets what came before: data are missing, and the next interval stands alone.
  public mutating func forget() {
    lastNormal = nil
    previous = nil
    earlier = nil
    previousVerdict = .normal
  }

  private func verdict(_ rr: Int64) -> Verdict {
    if rr > Self.gapTicks { return .gap }
    if rr < Self.range.lowerBound { return .short }
    if rr > Self.range.upperBound { return isMultiple(rr) ? .missed : .long }
    if isPause(rr) { return .ectopic }
    guard let lastNormal, !isNear(rr, to: lastNormal) else { return .normal }
    if let previous, isNear(rr, to: previous) { return .normal }
    return rr > lastNormal ? late(rr) : early(rr, after: lastNormal)
  }

  /// Kamath & Fallen (1995): at most 32.5 % longer and at most 24.5 % shorter.
  private func isNear(_ rr: Int64, to reference: Int64) -> Bool {
    let change = 1000 * (rr - reference)
    return change <= 325 * reference && change >= -245 * reference
  }

  /// Whether it is the pause after a beat that came too early to be sinus rhythm, yet not early enough to stand out
  /// by itself: after a drop of more than 8 % a rise of more than 20 %, to more than 6 % above where it began, and
  /// with both together near two intervals. docs/validation.md has what that finds.
  private func isPause(_ rr: Int64) -> Bool {
    guard let earlier, let previous else { return false }
    return 25 * (earlier - previous) > 2 * earlier && 5 * (rr - previous) > earlier
      && 50 * rr > 53 * earlier && 5 * (rr + previous) <= 11 * earlier
  }

  /// The pause after a premature beat belongs to it; twice the usual length is a beat not detected.
  private func late(_ rr: Int64) -> Verdict {
    if previousVerdict == .ectopic || previousVerdict == .extra { return .ectopic }
    return isMultiple(rr) ? .missed : .long
  }

  /// Half the usual length and less is no beat of the heart; otherwise it came too early.
  private func early(_ rr: Int64, after reference: Int64) -> Verdict {
    2 * rr <= reference ? .extra : .ectopic
  }

  /// Whether it and the extra interval before it make up one usual interval.
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
