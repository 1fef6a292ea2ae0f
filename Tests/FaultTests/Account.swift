import HeartRate

/// Compares the notifications that bluetoothd sent while the session was subscribed with the stored ones: same content,
/// number and order.
///
/// While a second client is subscribed, bluetoothd signals each value twice. Duplicates that are not yet recognized by
/// their pattern, or not recognizable on a busy machine, are stored next to their value, and are counted.
///
/// Notifications in transit to a subscription that is renewed after a silence can be lost, and are counted. A pause of the
/// machine of a third of a second is such a silence at this rate.
struct Account {
  private(set) var expected = 0
  private(set) var inRepair = 0
  private(set) var copies = 0
  private(set) var complaints: [String] = []

  init(sent: [SentLog.Item], stored: [SessionEvent]) {
    expected = sent.count
    var rest = Self.arrivals(stored)[...]
    var givenUp: Set<String> = []
    for item in sent {
      if let next = rest.first, next.payload == item.payload, !givenUp.contains(item.subscription) {
        let copies = rest.prefix(item.copies).prefix { $0.payload == item.payload }.count
        rest.removeFirst(copies)
        self.copies += copies - 1
      } else if rest.first?.followsSilence == true {
        givenUp.insert(item.subscription)
        inRepair += 1
      } else {
        complaints.append(Self.complaint(item, rest.first))
        return
      }
    }
    if let next = rest.first {
      complaints.append("\(rest.count) notifications that were not sent, from \(next.payload.prefix(8)) on")
    }
  }

  private static func complaint(_ item: SentLog.Item, _ found: Arrival?) -> String {
    let found = found.map { "\($0.payload.prefix(8))\($0.followsSilence ? " after a silence" : "")" }
    return "number \(item.number), \(item.payload.prefix(8)), of \(item.subscription) after: "
      + "\(item.after?.rawValue ?? "the beginning"), is missing: there is \(found ?? "the end")"
  }

  private struct Arrival {
    var payload: [UInt8]
    var followsSilence: Bool
  }

  private static func arrivals(_ stored: [SessionEvent]) -> [Arrival] {
    var wasStale = false
    return stored.compactMap { event in
      switch event.kind {
      case .link(let change):
        if change.state == .stale { wasStale = true }
        return nil
      case .notification(let payload):
        defer { wasStale = false }
        return Arrival(payload: payload, followsSilence: wasStale)
      default: return nil
      }
    }
  }
}
