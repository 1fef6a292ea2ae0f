import FakeBlueZ
import HeartRate
import Synchronization

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

/// The notifications that bluetoothd sent while the session was subscribed.
final class SentLog: Sendable {
  struct Item: Sendable {
    var number: Int
    var payload: [UInt8]
    /// The bus connection that subscribed.
    var subscription: String
    /// The number of signals: one per subscriber.
    var copies: Int
    /// The last fault before the notification.
    var after: Fault?
  }

  private struct State {
    var items: [Item] = []
    var fault: Fault?
    var buses = 1
    var otherClients: Set<String> = []
  }

  private let state = Mutex(State())

  var all: [Item] { state.withLock { $0.items } }

  func enter(_ fault: Fault) { state.withLock { $0.fault = fault } }

  /// A restarted bus assigns new connection names.
  func busIsNew() {
    state.withLock { state in
      state.buses += 1
      state.otherClients = []
    }
  }

  /// Registers a client that is not the session.
  func add(otherClient name: String) { _ = state.withLock { $0.otherClients.insert(name) } }

  /// Ignores notifications without a subscriber.
  func record(_ sent: FakeBlueZ.Sent) {
    state.withLock { state in
      guard let own = sent.subscribers.first(where: { !state.otherClients.contains($0) }) else { return }
      let item = Item(
        number: sent.number, payload: sent.payload, subscription: "\(own) of bus \(state.buses)",
        copies: sent.subscribers.count, after: state.fault)
      state.items.append(item)
    }
  }
}
