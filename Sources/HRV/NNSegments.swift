public import HeartRate

/// The NN intervals of a series, in the pieces that spectra and nonlinear metrics work on.
///
/// - A *run* is NN intervals that follow one another: every beat between them is normal. Whatever needs
///   neighbours (Welch's resampling, DFA, sample entropy) stays within runs.
/// - A *stretch* is what lies between two gaps. Beats inside it may be missing because they are not normal; the
///   times of the others are known all the same. Lomb-Scargle, which needs no neighbours, works on stretches.
///
/// Nothing is interpolated over a beat that is not normal, and no piece reaches over a gap. An interval of zero
/// length ends a run, and one of more than 10 s ends a stretch, even where beats are not judged.
public struct NNSegments: Equatable, Sendable {
  /// When each NN interval ended, in ticks of 1/80,000 ms.
  private(set) var ends: [Int64] = []
  /// Lengths in ticks of 1/80,000 ms: positive, at most 10 s.
  private(set) var lengths: [Int32] = []
  private var runStarts: [Int] = []
  private var stretchStarts: [Int] = []
  private var endsRun = true
  private var endsStretch = true

  static let longest = 10 * RRInterval.ticksPerSecond

  public init() {}

  /// The pieces of a series of judged beats.
  public init(_ beats: some Sequence<Beat>) {
    for beat in beats { append(beat) }
  }

  /// The pieces of `intervals` that are all taken for normal, with no data missing between them.
  public init(raw intervals: some Sequence<RRInterval>) {
    var end: Int64 = 0
    for rr in intervals {
      end += rr.ticks
      append(rr, end: end, isNormal: true, followsBreak: false)
    }
  }

  /// Takes the next beat.
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

  /// When the first interval of a piece began, in ticks.
  func start(of piece: Range<Int>) -> Int64 { ends[piece.lowerBound] - Int64(lengths[piece.lowerBound]) }

  /// From the start of the first interval of a piece to the end of its last, in seconds.
  func duration(of piece: Range<Int>) -> Double {
    Self.seconds(ends[piece.upperBound - 1] - start(of: piece))
  }

  static func seconds(_ ticks: Int64) -> Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }

  static let ticksPerMillisecond = Double(RRInterval.ticksPerMillisecond)

  static func milliseconds(_ ticks: Int32) -> Double {
    Double(ticks) / ticksPerMillisecond
  }

  /// - Throws: `tooFewBeats` below `needed` NN intervals.
  func require(_ needed: Int) throws(Absence) {
    guard count >= needed else { throw .tooFewBeats(found: count, needed: needed) }
  }
}
