/// Gives each RR interval its own end time.
///
/// A strap sends beats in bundles, up to a second and more after they happened, so the arrival of a packet
/// tells when its beats had happened *at the latest*, and nothing else. The timeline therefore chains RR onto RR
/// (exact while the strap keeps sending), and moves the chain only where arrivals prove it wrong:
///
/// - A beat that would end after its packet arrived is moved back to the arrival. Such moves add up to the
///   shortest delay seen, as in the minimum filter of network clocks.
/// - If no packet of the last 64 came without delay, the chain has fallen behind (the two clocks differ by some
///   1/100,000, or a beat was lost) and moves forward by the shortest delay among them.
/// - Where arrivals outrun the RR by more than max(2 s, twice the last RR), data are missing: a gap, and the
///   chain begins anew at the arrival.
///
/// End times never go backwards and never lie after their arrival. A source whose arrivals are the exact running
/// sum of its RR gets exactly that sum.
public struct BeatTimeline: Sendable {
  /// The end of the chain; nil before the first packet and after a break.
  private var chainEnd: Int64?
  /// No beat ends before this one did.
  private var latestEnd = Int64.min
  private var shortestDelay = Int64.max
  private var packetsObserved = 0

  private static let packetsPerAdjustment = 64
  private static let leastTolerance = 2 * RRInterval.ticksPerSecond

  public init() {}

  /// Where the beats of one packet lie.
  public struct Placement: Equatable, Sendable {
    /// The end of the last beat before a gap, when data are missing between it and this packet.
    public var gapStart: SessionTime?
    /// Where the packet's next interval begins.
    public var start: SessionTime { SessionTime(ticks: end) }
    private var end: Int64
    private let earliest: Int64

    fileprivate init(gapStart: SessionTime?, start: Int64, earliest: Int64) {
      self.gapStart = gapStart
      self.end = start
      self.earliest = earliest
    }

    /// The end of the next beat of the packet, `rr` after the one before it.
    public mutating func advance(by rr: RRInterval) -> SessionTime {
      end += rr.ticks
      return SessionTime(ticks: max(end, earliest))
    }
  }

  /// Places the beats of one packet; `rr` must not be empty.
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

  /// Forgets the chain: the next packet begins a new one.
  public mutating func breakOff() {
    chainEnd = nil
    shortestDelay = .max
    packetsObserved = 0
  }

  /// How far arrivals may outrun the sum of RR, in ticks: max(2 s, twice the last RR).
  public static func tolerance(lastRR: RRInterval) -> Int64 {
    max(leastTolerance, 2 * lastRR.ticks)
  }

  private mutating func begin(at arrival: SessionTime, sum: Int64, gapStart: SessionTime?) -> Placement {
    breakOff()
    chainEnd = arrival.ticks
    defer { latestEnd = max(latestEnd, arrival.ticks) }
    return Placement(gapStart: gapStart, start: arrival.ticks - sum, earliest: latestEnd)
  }

  /// Returns by how much the chain has to move forward, in ticks.
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
