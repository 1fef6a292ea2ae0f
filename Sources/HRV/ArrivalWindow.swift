public import HeartRate

/// A sliding window over notifications. It yields the fraction of time that their RR intervals cover and the
/// fraction of notifications that reported lost contact.
///
/// The window contains the notifications that arrived in [a1 - length, a1], where a1 is the newest arrival.
/// The oldest one, at a0, only marks the start of the covered time (a0, a1]; its RR intervals do not count.
///
/// - Complexity: O(1) per notification, amortised; allocates only until it reaches its working size.
public struct ArrivalWindow: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    var arrival: Int64
    var rr: Int64
    var contactLost: Bool
  }

  /// Length in ticks of 1/80,000 ms.
  public let length: Int64
  @usableFromInline var entries = RingBuffer(filler: Entry(arrival: 0, rr: 0, contactLost: false))
  /// Sum of RR in ticks over all entries except the oldest.
  @usableFromInline var rr: Int64 = 0
  @usableFromInline var contactLost = 0

  public init(length: Duration) { self.length = length.ticks }

  /// Appends a notification with the sum of its RR intervals in ticks and its lost-contact flag.
  public mutating func append(arrival: SessionTime, rr sum: Int64, contactLost lost: Bool) {
    if entries.isFull { entries.grow() }
    entries.append(Entry(arrival: arrival.ticks, rr: sum, contactLost: lost))
    if entries.count > 1 { count(entries.last, 1) }
    var start = entries[0].arrival
    while entries.count > 1 {
      // Of entries with the same arrival time, the last one marks the start.
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

  /// Time from the oldest to the newest notification in the window, in ticks: the length of (a0, a1].
  public private(set) var span: Int64 = 0

  /// Sum of RR in (a0, a1] divided by a1 - a0: below 1 after lost beats, above 1 after duplicates. Defined once the window
  /// contains two different arrival times.
  @inlinable public var coverage: Double? { span > 0 ? Double(rr) / Double(span) : nil }

  /// Sum of RR minus the span, in ticks; negative if RR intervals are missing.
  public var excess: Int64 { rr - span }

  /// Fraction of notifications in (a0, a1] that reported lost contact, 0 to 1. Requires two notifications in the window.
  @inlinable public var contactLostFraction: Double? {
    guard entries.count > 1 else { return nil }
    return contactLost > 0 ? Double(contactLost) / Double(entries.count - 1) : 0
  }
}
