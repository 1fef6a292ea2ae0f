import FakeBlueZ
import Synchronization

/// The notifications and the sensor frames that bluetoothd sent while the session was subscribed.
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

  fileprivate struct State {
    var items: [Item] = []
    var frames: [Item] = []
    var cutSubscriptions: Set<String> = []
    var fault: Fault?
    var buses = 1
    var otherClients: Set<String> = []
  }

  private let state = Mutex(State())

  var all: [Item] { state.withLock { $0.items } }

  /// The sensor frames.
  var frames: [Item] { state.withLock { $0.frames } }

  /// The subscriptions to sensor frames that ended while frames could be in transit.
  var cutSubscriptions: Set<String> { state.withLock { $0.cutSubscriptions } }

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

  /// The transport of the latest subscription to sensor frames ended: frames in transit are lost.
  func cutFrames() {
    state.withLock { state in
      if let last = state.frames.last { state.cutSubscriptions.insert(last.subscription) }
    }
  }

  /// Ignores notifications without a subscriber.
  func record(_ sent: FakeBlueZ.Sent) {
    state.withLock { state in
      if let item = state.item(sent) { state.items.append(item) }
    }
  }

  func record(frame sent: FakeBlueZ.Sent) {
    state.withLock { state in
      if let item = state.item(sent) { state.frames.append(item) }
    }
  }
}

extension SentLog.State {
  /// Nil without a subscription of the session.
  fileprivate func item(_ sent: FakeBlueZ.Sent) -> SentLog.Item? {
    guard let own = sent.subscribers.first(where: { !otherClients.contains($0) }) else { return nil }
    return SentLog.Item(
      number: sent.number, payload: sent.payload, subscription: "\(own) of bus \(buses)",
      copies: sent.subscribers.count, after: fault)
  }
}
