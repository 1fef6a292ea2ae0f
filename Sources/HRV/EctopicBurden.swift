/// The ectopic beats of a series.
///
/// An ectopic beat usually makes two successive intervals ectopic: its own, and the pause that follows it. In each run of
/// ectopic intervals, every second interval therefore counts as one beat.
public struct EctopicBurden: Equatable, Sendable {
  /// Number of ectopic beats.
  public private(set) var count = 0
  /// Number of beats, gaps excluded.
  public private(set) var beats = 0
  /// Whether the pause of an ectopic beat can follow: the previous interval is the beat's own.
  private var expectsPause = false

  /// Counts classified beats.
  public init(_ beats: some Sequence<Beat>) {
    for beat in beats { append(beat) }
  }

  private mutating func append(_ beat: Beat) {
    guard beat.verdict != .gap else {
      expectsPause = false
      return
    }
    beats += 1
    let isPause = expectsPause && !beat.followsBreak
    expectsPause = beat.verdict == .ectopic && !isPause
    if expectsPause { count += 1 }
  }

  /// Percentage of the beats that are ectopic. Undefined if there are no beats.
  public var percent: Double? { beats > 0 ? 100 * Double(count) / Double(beats) : nil }
}
