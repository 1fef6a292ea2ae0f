public import Time

/// Assigns an end time to each RR interval.
///
/// A strap sends beats in batches, a second or more after they occurred, so the arrival time of a packet is
/// only an upper bound of the end times of its beats. The timeline therefore adds up RR intervals (exact
/// while no packet is lost) and corrects the sum only where it contradicts the arrival times:
///
/// - A beat that would end after its packet arrived is moved back to the arrival. These corrections converge
///   to the shortest delay observed, like the minimum filter of network clock synchronisation.
/// - If none of the last 64 packets arrived without delay, the sum is late (clock drift of about 1/100,000,
///   or a lost beat) and is moved forward by the shortest of these delays.
/// - If an arrival exceeds the sum by more than max(2 s, twice the last RR), data are missing: the timeline
///   reports a gap and restarts at the arrival.
///
/// End times are monotonic and never later than the arrival. If arrivals equal the running sum of RR, the end
/// times equal that sum exactly.
public struct BeatTimeline: Sendable {
  /// End of the last interval in ticks. Unknown before the first packet and after a break.
  private var chainEnd: Int64?
  /// Latest end time assigned so far, in ticks; a lower bound of all later ones.
  private var latestEnd = Int64.min
  private var shortestDelay = Int64.max
  private var packetsObserved = 0

  private static let packetsPerAdjustment = 64
  private static let leastTolerance = 2 * RRInterval.ticksPerSecond

  public init() {}

  /// The times of the beats of one packet.
  public struct Placement: Equatable, Sendable {
    /// End of the last beat before a gap, if data are missing before this packet.
    public var gapStart: SessionTime?
    /// Start of the packet's next interval.
    public var start: SessionTime { SessionTime(ticks: end) }
    private var end: Int64
    private let earliest: Int64

    fileprivate init(gapStart: SessionTime?, start: Int64, earliest: Int64) {
      self.gapStart = gapStart
      self.end = start
      self.earliest = earliest
    }

    /// Returns the end time of the packet's next beat, whose interval is `rr`.
    public mutating func advance(by rr: RRInterval) -> SessionTime {
      end += rr.ticks
      return SessionTime(ticks: max(end, earliest))
    }
  }

  /// Assigns times to the beats of one packet; `rr` must not be empty.
  public mutating func place(_ rr: RRIntervals, arrival: SessionTime) -> Placement {
    let sum = rr.totalTicks
    guard let chainEnd else { return begin(at: arrival, sum: sum, gapStart: nil) }
    let delay = arrival.ticks - chainEnd - sum
    if delay > Self.leastTolerance, delay > Self.tolerance(lastRR: rr[rr.count - 1]) {
      return begin(at: arrival, sum: sum, gapStart: SessionTime(ticks: latestEnd))
    }
    let start = chainEnd + min(delay, 0)
    let placement = Placement(gapStart: nil, start: start, earliest: latestEnd)
    self.chainEnd = start + sum + observe(delay: max(delay, 0))
    latestEnd = max(latestEnd, start + sum)
    return placement
  }

  /// Resets the timeline: the next packet starts a new sum.
  public mutating func interrupt() {
    chainEnd = nil
    shortestDelay = .max
    packetsObserved = 0
  }

  /// The largest plausible lead of an arrival over the sum of RR, in ticks: max(2 s, twice the last RR).
  public static func tolerance(lastRR: RRInterval) -> Int64 {
    max(leastTolerance, 2 * lastRR.ticks)
  }

  private mutating func begin(at arrival: SessionTime, sum: Int64, gapStart: SessionTime?) -> Placement {
    interrupt()
    chainEnd = arrival.ticks
    defer { latestEnd = max(latestEnd, arrival.ticks) }
    return Placement(gapStart: gapStart, start: arrival.ticks - sum, earliest: latestEnd)
  }

  /// Records the delay of a packet and returns the forward correction in ticks, usually 0.
  private mutating func observe(delay: Int64) -> Int64 {
    shortestDelay = min(shortestDelay, delay)
    packetsObserved += 1
    guard packetsObserved == Self.packetsPerAdjustment else { return 0 }
    let shortest = shortestDelay
    shortestDelay = .max
    packetsObserved = 0
    return shortest
  }
}
