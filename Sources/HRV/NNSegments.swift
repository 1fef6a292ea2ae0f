public import HeartRate

/// The NN intervals of a series, divided into the segments on which spectra and nonlinear metrics operate.
///
/// - A *run* consists of successive NN intervals: every beat between them is normal. Algorithms that need
///   neighbours (Welch's resampling, DFA, sample entropy) operate on runs.
/// - A *stretch* is the time between two gaps. It can lack beats that are not normal, but the times of the
///   others are known. Lomb-Scargle, which needs no neighbours, operates on stretches.
///
/// Beats that are not normal are not interpolated, and no segment spans a gap. An interval of zero length
/// ends a run and one of more than 10 s ends a stretch, also if beats are not classified.
public struct NNSegments: Equatable, Sendable {
  /// End times of the NN intervals in ticks of 1/80,000 ms.
  private(set) var ends: [Int64] = []
  /// Lengths in ticks of 1/80,000 ms: positive, at most 10 s.
  private(set) var lengths: [Int32] = []
  private var runStarts: [Int] = []
  private var stretchStarts: [Int] = []
  private var endsRun = true
  private var endsStretch = true

  static let longest = 10 * RRInterval.ticksPerSecond

  public init() {}

  /// Creates the segments of a series of classified beats.
  public init(_ beats: some Sequence<Beat>) {
    for beat in beats { append(beat) }
  }

  /// Creates the segments of `intervals` that all count as normal, without missing data in between.
  public init(raw intervals: some Sequence<RRInterval>) {
    var end = SessionTime.zero
    for rr in intervals {
      end = end + rr
      append(rr, end: end.ticks, isNormal: true, followsBreak: false)
    }
  }

  /// Appends a beat.
  /// - Complexity: O(1), amortised.
  public mutating func append(_ beat: Beat) {
    let isGap = beat.verdict == .gap
    append(beat.rr, end: beat.end.ticks, isNormal: beat.verdict.isNormal, followsBreak: beat.followsBreak)
    if isGap { endsStretch = true }
  }

  private mutating func append(_ rr: RRInterval, end: Int64, isNormal: Bool, followsBreak: Bool) {
    if followsBreak || rr.ticks > Self.longest { endsStretch = true }
    guard isNormal, rr.ticks > 0, rr.ticks <= Self.longest else {
      endsRun = true
      return
    }
    if endsStretch { stretchStarts.append(lengths.count) }
    if endsRun || endsStretch { runStarts.append(lengths.count) }
    endsRun = false
    endsStretch = false
    ends.append(end)
    lengths.append(Int32(rr.ticks))
  }

  /// Number of NN intervals.
  public var count: Int { lengths.count }

  /// Indices of the NN intervals of each run.
  var runs: [Range<Int>] { Self.ranges(runStarts, count) }

  /// Indices of the NN intervals of each stretch.
  var stretches: [Range<Int>] { Self.ranges(stretchStarts, count) }

  private static func ranges(_ starts: [Int], _ end: Int) -> [Range<Int>] {
    starts.indices.map { starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : end) }
  }

  /// Start of the first interval of a segment in ticks.
  func start(of piece: Range<Int>) -> Int64 { ends[piece.lowerBound] - Int64(lengths[piece.lowerBound]) }

  /// Time from the start of the first interval of a segment to the end of its last, in seconds.
  func duration(of piece: Range<Int>) -> Double {
    Self.seconds(ends[piece.upperBound - 1] - start(of: piece))
  }

  static func seconds(_ ticks: Int64) -> Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }

  static let ticksPerMillisecond = Double(RRInterval.ticksPerMillisecond)

  static func milliseconds(_ ticks: Int32) -> Double {
    Double(ticks) / ticksPerMillisecond
  }

  /// Checks the number of NN intervals.
  /// - Throws: `tooFewBeats` below `needed` NN intervals.
  func require(_ needed: Int) throws(Absence) {
    guard count >= needed else { throw .tooFewBeats(found: count, needed: needed) }
  }

  /// Checks that a computation with squared complexity is possible.
  /// - Throws: `tooManyBeats` above `limit` NN intervals.
  func require(atMost limit: Int) throws(Absence) {
    guard count <= limit else { throw .tooManyBeats(found: count, limit: limit) }
  }
}
