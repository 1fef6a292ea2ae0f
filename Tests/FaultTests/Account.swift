import FakeBlueZ
import HeartRate
import Synchronization

/// Compares what bluetoothd put on the bus while the session was subscribed with what was stored: the same, as often, in
/// the same order.
///
/// One thing cannot be told by anybody: a notification that bluetoothd sends to a subscription that is being closed
/// that very moment, after a silence, to be made anew. It may be missing, and is counted.
struct Account {
  private(set) var expected = 0
  private(set) var inRepair = 0
  private(set) var complaints: [String] = []

  init(sent: [SentLog.Item], stored: [SessionEvent]) {
    let arrived = Self.arrivals(stored)
    expected = sent.count
    let lastTo = Dictionary(sent.map { ($0.subscription, $0.number) }) { max($0, $1) }
    var place = 0
    for item in sent {
      if place < arrived.count, arrived[place].payload == item.payload {
        place += 1
      } else if lastTo[item.subscription] == item.number, place < arrived.count, arrived[place].followsSilence
      {
        inRepair += 1
      } else {
        let found = place < arrived.count ? "\(arrived[place].payload.prefix(8))" : "the end"
        complaints.append(
          "number \(item.number), \(item.payload.prefix(8)), is missing after \(item.after?.rawValue ?? ""), "
            + "\(item.subscription), last \(lastTo[item.subscription] ?? 0): instead \(found)")
        return
      }
    }
    if place < arrived.count { complaints.append("\(arrived.count - place) notifications that nobody sent") }
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
    /// The last fault before it.
    var after: Fault?
  }

  private struct State {
    var items: [Item] = []
    var fault: Fault?
    var buses = 1
  }

  private let state = Mutex(State())

  var all: [Item] { state.withLock { $0.items } }

  func enter(_ fault: Fault) { state.withLock { $0.fault = fault } }

  /// A bus that starts anew gives its names anew.
  func busIsNew() { state.withLock { $0.buses += 1 } }

  /// What was sent while nobody was subscribed does not count.
  func take(_ sent: FakeBlueZ.Sent) {
    state.withLock { state in
      guard let own = sent.subscribers.first else { return }
      let item = Item(
        number: sent.number, payload: sent.payload, subscription: "\(own) of bus \(state.buses)",
        after: state.fault)
      state.items.append(item)
    }
  }
}
