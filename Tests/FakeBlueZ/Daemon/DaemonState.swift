import DBus
import Glibc

/// The state of the fake bluetoothd, its adapters and the straps in range, confined to one thread.
final class DaemonState {
  let address: String
  let options: FakeBlueZ.Options
  var connection: PolledBusConnection?
  var objects: [String: Interfaces] = [:]
  var adapters: [Adapter] = []
  var straps: [Strap] = []
  var devices: [Device] = []
  /// By the address of the adapter, then of the strap.
  var storage: [String: [String: StoredDevice]] = [:]
  var agents: [Agent] = []
  var defaultAgents: [Agent] = []
  /// The handlers of the replies to the daemon's own calls, by serial.
  var expectedReplies: [UInt32: (Result<[DBusValue], BusError>) -> Void] = [:]
  var timers = Timers()
  var calls: [FakeBlueZ.Call] = []
  var waiters: [Waiter] = []
  var onSent: (@Sendable (FakeBlueZ.Sent) -> Void)?
  var onSensorFrame: (@Sendable (FakeBlueZ.Sent) -> Void)?

  struct Waiter {
    let due: UInt64
    let isSatisfied: () -> Bool
    let resume: (Bool) -> Void
  }

  init(address: String, options: FakeBlueZ.Options) {
    self.address = address
    self.options = options
  }

  // MARK: The loop

  func runTimers() {
    while let body = timers.takeDue() { body() }
  }

  /// A timer that is removed when the daemon ends.
  @discardableResult
  func after(_ seconds: Double, _ body: @escaping () -> Void) -> Timers.ID {
    timers.after(seconds: seconds, ofDaemon: true, body)
  }

  func wakeWaiters() {
    guard !waiters.isEmpty else { return }
    let now = Timers.now
    var still: [Waiter] = []
    for waiter in waiters {
      if waiter.isSatisfied() {
        waiter.resume(true)
      } else if waiter.due <= now {
        waiter.resume(false)
      } else {
        still.append(waiter)
      }
    }
    waiters = still
  }

  func takeMessages() {
    guard let connection else { return }
    let alive = connection.transfer()
    while let message = connection.next() {
      take(message)
      // A call may have ended the daemon.
      guard self.connection === connection else { return }
    }
    if !alive { busIsGone() }
  }

  private func take(_ message: DBusMessage) {
    switch message.kind {
    case .call: answer(message)
    case .reply: expectedReplies.removeValue(forKey: message.replySerial)?(.success(message.arguments))
    case .error: expectedReplies.removeValue(forKey: message.replySerial)?(.failure(message.error))
    case .signal: takeSignal(message)
    case .invalid: break
    }
  }

  private func takeSignal(_ message: DBusMessage) {
    guard message.member == "NameOwnerChanged" else { return }
    let names = message.arguments.map { $0.text ?? "" }
    if names.count == 3, names[0].hasPrefix(":"), names[2].isEmpty { clientIsGone(names[0]) }
  }

  // MARK: Calls

  private func answer(_ call: DBusMessage) {
    calls.append(
      FakeBlueZ.Call(
        sender: call.sender, path: call.path, interface: call.interface, member: call.member,
        arguments: call.arguments, nanoseconds: Timers.now))
    do {
      if let values = try perform(call) { reply(call, values) }
    } catch {
      reply(call, error)
    }
  }

  func reply(_ call: DBusMessage?, _ values: [DBusValue] = []) {
    guard let call, call.wantsReply, let reply = call.reply(values) else { return }
    connection?.send(reply)
  }

  func reply(_ call: DBusMessage?, _ error: BusError) {
    guard let call, call.wantsReply, let reply = call.reply(error) else { return }
    connection?.send(reply)
  }

  /// The values of the reply; nil if it is sent later.
  private func perform(_ call: DBusMessage) throws(BusError) -> [DBusValue]? {
    switch call.interface {
    case "org.freedesktop.DBus.Peer" where call.member == "Ping": return []
    case Interface.objectManager where call.member == "GetManagedObjects" && call.path == "/":
      return [managedObjects]
    case Interface.introspectable where objects[call.path] != nil || call.path == "/":
      return [.string(introspection(of: call.path))]
    default: break
    }
    guard let object = objects[call.path] else { throw .unknown(call, objectExists: call.path == "/") }
    if call.interface == Interface.properties { return try performProperties(call, object) }
    guard object[call.interface] != nil else { throw .unknown(call, objectExists: true) }
    if call.interface == Interface.agentManager { return try performAgentManager(call) }
    if let adapter = adapters.first(where: { $0.path == call.path }) {
      return try performAdapter(call, adapter)
    }
    guard let device = devices.first(where: { call.path == $0.path || call.path.hasPrefix($0.path + "/") })
    else { throw .unknown(call, objectExists: true) }
    switch call.interface {
    case Interface.device: return try performDevice(call, device)
    case Interface.characteristic: return try performCharacteristic(call, device)
    default: throw .unknown(call, objectExists: true)
    }
  }

  private var managedObjects: DBusValue {
    .array(
      of: "{oa{sa{sv}}}",
      objects.sorted { $0.key < $1.key }.map { .entry(.objectPath($0.key), $0.value.value) })
  }

  // MARK: Properties

  private func performProperties(_ call: DBusMessage, _ object: Interfaces) throws(BusError) -> [DBusValue]? {
    let access = try PropertyAccess(call)
    guard case .set(let interface, let name, let value) = access else { return try access.read(object) }
    guard object[interface] != nil else { throw .noSuchInterface(interface) }
    return try set(name, of: interface, to: value, call)
  }

  private func set(
    _ name: String, of interface: String, to value: DBusValue, _ call: DBusMessage
  ) throws(BusError) -> [DBusValue]? {
    if let adapter = adapters.first(where: { $0.path == call.path }), interface == Interface.adapter {
      return try setAdapter(adapter, name, value)
    }
    if let device = devices.first(where: { $0.path == call.path }), interface == Interface.device {
      return try setDevice(device, name, value)
    }
    throw objects[call.path]?[interface]?[name] == nil ? .noSuchProperty(name) : .readOnly(name)
  }
}

extension BusError {
  static func invalidSignature(_ name: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error.InvalidSignature", message: "Invalid signature for '\(name)'")
  }
}
