import DBus
import HeartRate
import Logging

/// A client of bluetoothd: keeps a copy of its objects up to date and calls their methods.
///
/// Straps are identified by address. Object paths are looked up for each call and never stored, because BlueZ removes devices
/// that were only seen in a scan, and renumbers adapters.
actor BlueZClient {
  enum Notice: Sendable {
    /// The objects of the device with this address have changed, or objects that belong to no device.
    case changed(device: String?)
    case serviceAppeared
    case serviceLost(String)
    case busLost
    case disconnected(address: String, reason: String)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe BusExecutor.shared.asUnownedSerialExecutor()
  }

  nonisolated static let service = "org.bluez"

  private let requestedAdapter: String?
  /// The default is the system bus.
  let busAddress: String?
  private let logger: Logger
  private let notify: @Sendable (Notice) -> Void
  /// Replaced by `open`.
  private(set) var bus = BusConnection()
  /// The unique name of bluetoothd, while org.bluez has an owner.
  private(set) var owner: String?
  private(set) var tree = ObjectTree()
  private var sightings = SightingIndex()
  /// The address of the adapter that was selected first; the client keeps using this adapter.
  private var adapterAddress: String?

  /// `notify` is called on the bus thread.
  init(
    requestedAdapter: String?, busAddress: String?, logger: Logger,
    notify: @escaping @Sendable (Notice) -> Void = { _ in }
  ) {
    self.requestedAdapter = requestedAdapter
    self.busAddress = busAddress
    self.logger = logger
    self.notify = notify
  }

  /// Opens the connection and subscribes to BlueZ's signals. Call this first, and read the objects later: no change in
  /// between is lost.
  func open() async throws(BusError) {
    bus = BusConnection(
      handlers: BusConnection.Handlers(
        signal: { [weak self] signal in self?.assumeIsolated { $0.handle(signal) } },
        lost: { [weak self] in self?.assumeIsolated { $0.notify(.busLost) } }))
    try await bus.open(busAddress)
    for rule in Self.matchRules {
      try await bus.call(.onDaemon("AddMatch", [.string(rule)]), timeout: CallTimeout.daemon)
    }
  }

  /// Reads all objects of BlueZ.
  func readObjects(startService: Bool) async throws(BusError) {
    let owner = try await nameOwner(startService: startService)
    self.owner = owner
    // Not the well-known name: if bluetoothd was replaced meanwhile, its objects would belong to another owner.
    let objects = MethodCall(
      destination: owner, path: "/", interface: "org.freedesktop.DBus.ObjectManager",
      member: "GetManagedObjects")
    let reply = try await bus.call(objects, timeout: CallTimeout.service)
    guard let tree = ObjectTree(managedObjects: reply) else {
      throw BusError(name: BusError.inconsistentMessage, message: "GetManagedObjects: not a tree of objects")
    }
    self.tree = tree
    sightings.rebuild(tree)
  }

  private func nameOwner(startService: Bool) async throws(BusError) -> String {
    do throws(BusError) {
      return try await askNameOwner()
    } catch  where error.name == BusError.nameHasNoOwner && startService {
      try await bus.call(
        .onDaemon("StartServiceByName", [.string(Self.service), .uint32(0)]), timeout: CallTimeout.service)
      return try await askNameOwner()
    }
  }

  private func askNameOwner() async throws(BusError) -> String {
    let reply = try await bus.call(
      .onDaemon("GetNameOwner", [.string(Self.service)]), timeout: CallTimeout.daemon)
    guard let owner = reply.first?.string else {
      throw BusError(name: BusError.inconsistentMessage, message: "GetNameOwner: not a name")
    }
    return owner
  }

  func close() async { await bus.close() }

  private static let matchRules = [
    "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
    "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'",
    // Not GattCharacteristic1: the connection with the subscription receives the values.
    propertiesOf("org.bluez.Adapter1"), propertiesOf("org.bluez.Device1"), propertiesOf("org.bluez.Battery1"),
    "type='signal',sender='org.bluez',interface='org.bluez.Device1',member='Disconnected'",
  ]

  private static func propertiesOf(_ interface: String) -> String {
    "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged',arg0='\(interface)'"
  }

  // MARK: Signals

  /// Accepts signals of the bus and of bluetoothd only, since any process on the bus may send signals.
  private func handle(_ signal: IncomingMessage) {
    if signal.sender == "org.freedesktop.DBus" {
      if signal.member == "NameOwnerChanged" { handleOwnerChange(signal.arguments) }
    } else if signal.sender == owner {
      handleServiceSignal(signal)
    }
  }

  private func handleOwnerChange(_ arguments: [DBusValue]) {
    guard arguments.count == 3, arguments[0].string == Self.service, let new = arguments[2].string else {
      return
    }
    if owner != nil, owner != new {
      owner = nil
      tree = ObjectTree()
      sightings = SightingIndex()
      notify(.serviceLost("bluetoothd has left the bus"))
    }
    if !new.isEmpty { notify(.serviceAppeared) }
  }

  private func handleServiceSignal(_ signal: IncomingMessage) {
    if tree.apply(signal) {
      notify(.changed(device: sightings.update(ObjectTree.path(of: signal), in: tree)))
    } else if signal.interface == Device.interface, signal.member == "Disconnected",
      let properties = tree.properties(of: Device.interface, at: signal.path)
    {
      let message = signal.arguments.compactMap(\.string)
      notify(
        .disconnected(
          address: Device(path: signal.path, properties: properties).address,
          reason: message.last { !$0.isEmpty } ?? "the link ended"))
    }
  }

  func replaceProperties(of interface: String, at path: String, with properties: ObjectTree.Properties) {
    tree.replace(path, interface, with: properties)
    notify(.changed(device: sightings.update(path, in: tree)))
  }

  // MARK: Objects

  /// The requested adapter; after the first access always the one with the same address, even if it is renumbered.
  var adapter: Adapter? {
    let adapter = tree.adapter(adapterAddress ?? requestedAdapter)
    if let adapter, !adapter.address.isEmpty { adapterAddress = adapter.address }
    return adapter
  }

  var snapshot: BluetoothSnapshot {
    guard let adapter else {
      return BluetoothSnapshot(adapter: .absent(present: tree.adapters.map(\.name)))
    }
    sightings.select(adapter, in: tree)
    return BluetoothSnapshot(
      adapter: BluetoothSnapshot.AdapterState(adapter, adapter.power == .on ? [] : RFKillSwitch.bluetooth()),
      sightings: sightings.all)
  }

  func battery(of strap: StrapIdentity) -> BatteryLevel? {
    adapter.flatMap { tree.device(address: strap.address, of: $0) }.flatMap { tree.battery(of: $0) }
  }

  /// BlueZ signals each value once per subscriber, to all of them; ``DuplicateNotificationFilter`` drops the duplicates.
  func noteOtherSubscriber(_ strap: StrapIdentity) {
    logger.notice("another program may be subscribed to \(strap); duplicate notifications are dropped")
  }

  func device(of strap: StrapIdentity) throws(BusError) -> Device {
    guard let adapter, let device = tree.device(address: strap.address, of: adapter) else {
      throw BusError(name: BusError.unknownObject, message: "\(strap) is not known to the adapter")
    }
    return device
  }

  func poweredAdapter() throws(BusError) -> Adapter {
    guard let adapter else { throw BusError(name: BusError.unknownObject, message: "no adapter") }
    return adapter
  }
}

/// The timeouts of the method calls.
enum CallTimeout {
  static let daemon = Duration.seconds(10)
  static let service = Duration.seconds(10)
  /// BlueZ tries to reach an absent strap for 40 s.
  static let connect = Duration.seconds(60)
  /// Below the ATT timeout of 30 s, after which BlueZ removes the device.
  static let startNotify = Duration.seconds(20)
  static let readValue = Duration.seconds(5)
  static let writeValue = Duration.seconds(5)
  /// Stopping a stream at the end of a session.
  static let stopStream = Duration.seconds(2)
  static let disconnect = Duration.seconds(5)
  /// Includes the time for reading and typing a passkey.
  static let pair = Duration.seconds(90)
}

extension MethodCall {
  static func onBlueZ(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
  ) -> MethodCall {
    MethodCall(
      destination: BlueZClient.service, path: path, interface: interface, member: member, arguments: arguments
    )
  }
}
