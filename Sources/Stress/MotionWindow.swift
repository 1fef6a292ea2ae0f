import HeartRate
import Motion

/// The movement within a window, as fractions of the seconds with acceleration.
public struct MotionSummary: Equatable, Sendable {
  /// Fraction of still seconds, 0 to 1.
  public var still: Double
  /// Fraction of seconds with walking or running, 0 to 1.
  public var locomotion: Double
  /// Whether most of the last five seconds were walking or running.
  public var isMoving: Bool

  public init(still: Double, locomotion: Double, isMoving: Bool) {
    self.still = still
    self.locomotion = locomotion
    self.isMoving = isMoving
  }

  /// Whether the window counts as rest: at most one second in twenty is not still.
  public var isRest: Bool { still >= 0.95 }
}

/// The classes of the seconds in a sliding window.
struct MotionWindow: Sendable {
  private static let capacity = 300
  /// Longest time without new features after which the movement is unknown, in seconds.
  private static let patience: Int64 = 5
  /// Number of last seconds that decide whether the person is moving.
  private static let recent: Int64 = 5

  /// Length in seconds, at most ``capacity``.
  private let length: Int64
  /// The class of each second, by its number modulo ``capacity``, if it has features.
  private var classes = InlineArray<300, MotionClass?>(repeating: nil)
  /// Number of the last second with features, if there was one.
  private var last: Int64?
  private var known = 0
  private var still = 0
  private var locomotion = 0

  init(length: Duration) { self.length = min(length.components.seconds, Int64(Self.capacity)) }

  var isEmpty: Bool { last == nil }

  /// Processes the next second.
  /// - Complexity: O(1) amortized; no allocation.
  mutating func append(_ second: MotionSecond) {
    let number = second.time.ticks / RRInterval.ticksPerSecond
    if let last, number <= last { return }
    let first = last.map { max($0 + 1, number - length + 1) } ?? number
    if let last, number - last >= length { removeAll() }
    for passed in first...number { set(nil, at: passed) }
    set(second.motion, at: number)
    last = number
  }

  private mutating func removeAll() {
    classes = InlineArray(repeating: nil)
    (known, still, locomotion) = (0, 0, 0)
  }

  /// Sets the class of a second, and removes the second that leaves the window.
  private mutating func set(_ motion: MotionClass?, at number: Int64) {
    if motion == nil { replace(nil, at: number - length) }
    replace(motion, at: number)
  }

  private mutating func replace(_ motion: MotionClass?, at number: Int64) {
    let place = Int((number % Int64(Self.capacity) + Int64(Self.capacity)) % Int64(Self.capacity))
    count(classes[place], -1)
    classes[place] = motion
    count(motion, 1)
  }

  private mutating func count(_ motion: MotionClass?, _ change: Int) {
    guard let motion else { return }
    known += change
    if motion == .still { still += change }
    if motion.isLocomotion { locomotion += change }
  }

  /// The movement of the window that ends at `time`; nil if the last features are older than ``patience`` or cover less
  /// than half of the time since the start of the window or of the session.
  func summary(at time: SessionTime) -> MotionSummary? {
    let now = time.ticks / RRInterval.ticksPerSecond
    guard let last, now - last <= Self.patience, 2 * Int64(known) >= min(length, now) else { return nil }
    var moving: Int64 = 0
    for number in (last - Self.recent + 1)...last where isLocomotion(number) { moving += 1 }
    return MotionSummary(
      still: Double(still) / Double(known), locomotion: Double(locomotion) / Double(known),
      isMoving: 2 * moving > Self.recent)
  }

  private func isLocomotion(_ number: Int64) -> Bool {
    number >= 0 && classes[Int(number % Int64(Self.capacity))]?.isLocomotion ?? false
  }
}
