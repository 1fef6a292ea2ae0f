public import HeartRate

/// The notifications of the last seconds: how much of the time their RR intervals account for, and how often the
/// sensor said that it had lost contact.
///
/// It holds those that arrived in [a1 - length, a1], a1 being the newest. The oldest of them, at a0, only marks
/// where the time begins that the others account for: (a0, a1].
///
/// - Complexity: O(1) per notification, amortised; allocates only while it grows to its working size.
public struct ArrivalWindow: Sendable {
  private struct Entry {
    var arrival: Int64
    var rr: Int64
    var contactLost: Bool
  }

  /// Length in ticks of 1/80,000 ms.
  public let length: Int64
  private var entries = RingBuffer(filler: Entry(arrival: 0, rr: 0, contactLost: false))
  /// Over all entries but the oldest, which only marks where the window begins.
  private var rr: Int64 = 0
  private var contactLost = 0

  public init(length: Duration) { self.length = length.ticks }

  /// Takes the next notification: the sum of its RR in ticks, and whether it reports lost contact.
  public mutating func append(arrival: SessionTime, rr sum: Int64, contactLost lost: Bool) {
    if entries.isFull { entries.grow() }
    entries.append(Entry(arrival: arrival.ticks, rr: sum, contactLost: lost))
    if entries.count > 1 { count(entries.last, 1) }
    var start = entries[0].arrival
    while entries.count > 1 {
      // Where the next one did not arrive later, that one marks the start.
      let next = entries[1]
      guard start < arrival.ticks - length || next.arrival <= start else { break }
      entries.removeFirst()
      count(next, -1)
      start = next.arrival
    }
    span = arrival.ticks - start
  }

  @inline(__always)
  private mutating func count(_ entry: Entry, _ sign: Int) {
    rr &+= Int64(sign) &* entry.rr
    contactLost &+= entry.contactLost ? sign : 0
  }

  /// The time from the oldest notification inside to the newest, in ticks: (a0, a1].
  public private(set) var span: Int64 = 0

  /// RR carried by the notifications in (a0, a1], divided by a1 - a0: below 1 beats were lost, above 1 some came
  /// twice. Absent until two notifications with different arrival times are known.
  public var coverage: Double? { span > 0 ? Double(rr) / Double(span) : nil }

  /// RR in excess of the span, in ticks; negative where RR are missing.
  public var excess: Int64 { rr - span }

  /// Share of the notifications in (a0, a1] that reported lost contact, 0 to 1. Absent as ``coverage`` is.
  public var contactLostShare: Double? {
    entries.count > 1 ? Double(contactLost) / Double(entries.count - 1) : nil
  }
}
