package import DBus
import Glibc
import TestSupport

/// Another client of the bus: a second subscriber, a competing client, an agent, or a test of the fake itself.
///
/// Use from one thread at a time. It receives signals and answers calls only while one of its methods waits.
package final class BusClient {
  package struct Signal: Sendable, Equatable {
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]
  }

  /// The signals of org.bluez, oldest first.
  package private(set) var signals: [Signal] = []
  /// Answers calls to this client, such as those to an agent; without it they fail with UnknownMethod.
  package var answer: ((_ member: String, _ arguments: [DBusValue]) -> Result<[DBusValue], BusError>)?
  /// The calls made to this client.
  package private(set) var questions: [String] = []
  private var replies: [UInt32: Result<[DBusValue], BusError>] = [:]
  private let connection: PolledBusConnection

  package init(address: String) throws(BusError) {
    connection = try PolledBusConnection(address: address)
    connection.addMatch("type='signal',sender='org.bluez'")
    connection.addMatch(
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'")
  }

  package var uniqueName: String { connection.uniqueName }

  /// Acquires the bus name `name`.
  package func own(_ name: String) throws(BusError) { try connection.requestName(name) }

  /// Makes a call without waiting for its answer.
  package func begin(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
  ) -> UInt32 {
    let call = MethodCall(
      destination: "org.bluez", path: path, interface: interface, member: member, arguments: arguments,
      startsService: true)
    return DBusMessage.call(call).map { connection.send($0) } ?? 0
  }

  /// The answer to the call `serial`; nil if none arrived within `seconds`.
  package func reply(to serial: UInt32, seconds: Double = 300) throws(BusError) -> [DBusValue]? {
    guard wait(seconds, until: { self.replies[serial] != nil }) else { return nil }
    return try replies.removeValue(forKey: serial)?.get()
  }

  /// Makes a call and waits for its answer.
  @discardableResult
  package func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    seconds: Double = 300
  ) throws(BusError) -> [DBusValue] {
    let serial = begin(path, interface, member, arguments)
    guard let values = try reply(to: serial, seconds: seconds) else {
      throw BusError(
        name: "org.freedesktop.DBus.Error.NoReply", message: "\(member) was not answered within \(seconds) s")
    }
    return values
  }

  /// Waits for a signal, including those already received; false if none arrived within `seconds`.
  package func waitForSignal(seconds: Double = 300, where matches: (Signal) -> Bool) -> Bool {
    wait(seconds) { self.signals.contains(where: matches) }
  }

  /// Receives messages for `seconds`.
  package func listen(seconds: Double) { _ = wait(seconds) { false } }

  package func forgetSignals() { signals = [] }

  private func wait(_ seconds: Double, until isSatisfied: () -> Bool) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while true {
      takeMessages()
      if isSatisfied() { return true }
      let left = deadline - monotonicSeconds()
      guard left > 0, connection.transfer(milliseconds: CInt(min(left * 1000 + 1, 1000))) else {
        takeMessages()
        return isSatisfied()
      }
    }
  }

  private func takeMessages() {
    while let message = connection.next() {
      switch message.kind {
      case .reply: replies[message.replySerial] = .success(message.argumentsWithDescriptors)
      case .error: replies[message.replySerial] = .failure(message.error)
      case .signal:
        signals.append(
          Signal(
            path: message.path, interface: message.interface, member: message.member,
            arguments: message.arguments))
      case .call: respond(to: message)
      case .invalid: break
      }
    }
  }

  private func respond(to call: DBusMessage) {
    questions.append(call.member)
    let result = answer?(call.member, call.arguments) ?? .failure(.unknown(call, objectExists: false))
    guard call.wantsReply else { return }
    let reply =
      switch result {
      case .success(let values): call.reply(values)
      case .failure(let error): call.reply(error)
      }
    if let reply { connection.send(reply) }
  }
}

extension BusClient.Signal {
  /// The new value of `name` in a PropertiesChanged signal.
  package func change(of name: String) -> DBusValue? {
    member == "PropertiesChanged" && arguments.count == 3 ? arguments[1].dictionary?[name] : nil
  }

  /// The path whose interfaces were added or removed.
  package var object: String? { arguments.first?.text }
}

extension BusClient {
  /// Every object of org.bluez: path, interface, property.
  package func managedObjects() throws(BusError) -> [String: [String: [String: DBusValue]]] {
    let answer = try call("/", Interface.objectManager, "GetManagedObjects")
    return (answer[0].dictionary ?? [:]).mapValues {
      ($0.dictionary ?? [:]).mapValues { $0.dictionary ?? [:] }
    }
  }

  package func property(_ path: String, _ interface: String, _ name: String) throws(BusError) -> DBusValue {
    try call(path, Interface.properties, "Get", [.string(interface), .string(name)])[0].unwrapped
  }

  package func setProperty(
    _ path: String, _ interface: String, _ name: String, _ value: DBusValue
  ) throws(BusError) {
    try call(path, Interface.properties, "Set", [.string(interface), .string(name), .variant(value)])
  }
}
