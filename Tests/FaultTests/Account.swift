import FakeBlueZ
import HeartRate
import Synchronization

/// Compares what bluetoothd put on the bus while the session was subscribed with what was stored: the same, as often, in
/// the same order.
///
/// While a second client is subscribed, bluetoothd signals each value twice. Until that shows in their pattern, and where
/// the machine is too busy for it to show, the copies come through: they are counted, and are where their value is.
///
/// One thing cannot be told by anybody: what is still on its way from bluetoothd to a subscription that is being closed,
/// after a silence, to be made anew. A machine that stands still for a third of a second is such a silence here. The end
/// of what was sent to that subscription may then be missing, and is counted.
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
      complaints.append("\(rest.count) notifications that nobody sent, from \(next.payload.prefix(8)) on")
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

/// What the strap sent while the session was subscribed, as bluetoothd put it on the bus.
final class SentLog: Sendable {
  struct Item: Sendable {
    var number: Int
    var payload: [UInt8]
    /// The bus connection that subscribed.
    var subscription: String
    /// How often bluetoothd signalled it: once for each subscriber.
    var copies: Int
    /// The last fault before it.
    var after: Fault?
  }

  private struct State {
    var items: [Item] = []
    var fault: Fault?
    var buses = 1
    var strangers: Set<String> = []
  }

  private let state = Mutex(State())

  var all: [Item] { state.withLock { $0.items } }

  func enter(_ fault: Fault) { state.withLock { $0.fault = fault } }

  /// A bus that starts anew gives its names anew.
  func busIsNew() {
    state.withLock { state in
      state.buses += 1
      state.strangers = []
    }
  }

  /// Who subscribes beside the session.
  func enter(stranger name: String) { _ = state.withLock { $0.strangers.insert(name) } }

  /// What was sent while nobody was subscribed does not count.
  func take(_ sent: FakeBlueZ.Sent) {
    state.withLock { state in
      guard let own = sent.subscribers.first(where: { !state.strangers.contains($0) }) else { return }
      let item = Item(
        number: sent.number, payload: sent.payload, subscription: "\(own) of bus \(state.buses)",
        copies: sent.subscribers.count, after: state.fault)
      state.items.append(item)
    }
  }
}
