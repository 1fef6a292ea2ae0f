import DBus
import Simulator

// The state of the fake, confined to its thread.

/// An adapter of this machine.
final class Adapter {
  let name: String
  let address: String
  var powered = true
  var isBlocked = false
  /// The clients with a discovery of their own.
  var sessions: Set<String> = []
  /// Those of them whose StartDiscovery is not answered yet.
  var starting: Set<String> = []
  var filters: [String: DiscoveryFilter] = [:]
  var scan: Timers.ID?

  init(name: String, address: String) {
    self.name = name
    self.address = address
  }

  var path: String { "/org/bluez/" + name }
  var isDiscovering: Bool { !sessions.isEmpty }
  var powerState: String { isBlocked ? "off-blocked" : powered ? "on" : "off" }
}

struct DiscoveryFilter {
  var uuids: [String] = []
  var rssi: Int16?
  var pattern: String?
}

/// A strap in range, whether or not bluetoothd knows it.
final class Strap {
  var profile: FakeStrap
  /// The device object that holds its only link.
  weak var link: Device?
  var stream: Timers.ID?
  /// The number of notifications sent, with or without a subscriber.
  var sent = 0
  /// The running sensor streams, by type. They end with the link or a stop request, not with a subscriber.
  var sensorStreams: [UInt8: Timers.ID] = [:]
  /// The source of acceleration frames.
  var motion: SimulatedStream?
  /// The start and stop of streams: "start 2", "stop 2", "link 2".
  var sensorLog: [String] = []
  /// The sensor frames sent to a subscriber.
  var sentFrames: [[UInt8]] = []

  init(_ profile: FakeStrap) { self.profile = profile }

  var script: StrapScript {
    get { profile.script }
    set { profile.script = newValue }
  }

  var isReachable: Bool { profile.isAdvertising && link == nil }
}

/// The data that bluetoothd stores about a device of one adapter.
struct StoredDevice {
  var paired: Bool
  var trusted: Bool
}

/// Why a link ended, which determines the order of the signals and org.bluez.Reason.
enum LinkEnd {
  case lost(reason: String)
  case disconnected
  case poweredOff

  var reason: String {
    switch self {
    case .lost(let reason): reason
    case .disconnected, .poweredOff: "Local"
    }
  }
}

/// A Device1 object.
final class Device {
  let adapter: Adapter
  let strap: Strap
  let path: String
  var isTemporary = true
  var paired = false
  var trusted = false
  var connected = false
  var resolved = false
  var bonding: Bonding?
  var pendingConnect: DBusMessage?
  var pendingDisconnects: [DBusMessage] = []
  var disconnectTimer: Timers.ID?
  var removalTimer: Timers.ID?
  var connectTimer: Timers.ID?
  /// Called when the services are resolved, to answer a pending Pair.
  var whenResolved: [() -> Void] = []
  var measurement: Characteristic?
  var sensorControl = Characteristic()
  var sensorData = Characteristic()

  init(adapter: Adapter, strap: Strap) {
    self.adapter = adapter
    self.strap = strap
    let address = strap.profile.address.map { $0 == ":" ? "_" : String($0) }.joined()
    path = adapter.path + "/dev_" + address
  }

  var servicePath: String { path + "/service0010" }
  var measurementPath: String { servicePath + "/char0011" }
  var locationPath: String { servicePath + "/char0014" }
  var batteryServicePath: String { path + "/service0016" }
  var batteryPath: String { batteryServicePath + "/char0017" }
  var sensorServicePath: String { path + "/service0020" }
  var sensorControlPath: String { sensorServicePath + "/char0021" }
  var sensorDataPath: String { sensorServicePath + "/char0024" }
}

/// The Heart Rate Measurement characteristic of a device and its subscribers.
final class Characteristic {
  struct Subscriber {
    let client: String
    /// False between two links, and while a session is being created.
    var isRegistered: Bool
  }

  var subscribers: [Subscriber] = []
  var notifying = false
  /// The strap sends no notifications on this link.
  var isSilent = false
  /// The client of an AcquireNotify and the sending end of its socket.
  var acquired: (client: String, descriptor: CInt)?

  var isSubscribed: Bool { acquired != nil || subscribers.contains { $0.isRegistered } }
}

/// A pairing under way.
final class Bonding {
  let call: DBusMessage?
  let finished: (BusError?) -> Void
  var agent: Agent?

  init(call: DBusMessage?, finished: @escaping (BusError?) -> Void) {
    self.call = call
    self.finished = finished
  }
}

/// An agent that a client registered.
struct Agent: Equatable {
  let client: String
  let path: String
  let capability: String

  /// A call to the agent's object.
  func call(_ member: String, _ arguments: [DBusValue]) -> MethodCall {
    MethodCall(
      destination: client, path: path, interface: Interface.agent, member: member, arguments: arguments)
  }
}
