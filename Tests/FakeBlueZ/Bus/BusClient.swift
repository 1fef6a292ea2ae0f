import Glibc
import TestSupport

/// Another client of the bus: the second subscriber, a phone-like rival, an agent, or a test of the fake itself.
///
/// Used by one thread at a time. It sees signals and answers calls only while one of its methods waits.
public final class BusClient {
  public struct Signal: Sendable, Equatable {
    public var path: String
    public var interface: String
    public var member: String
    public var arguments: [DBusValue]
  }

  /// What org.bluez signalled, oldest first.
  public private(set) var signals: [Signal] = []
  /// Answers calls that are made to this client, as an agent's are; without it they get UnknownMethod.
  public var answer: ((_ member: String, _ arguments: [DBusValue]) -> Result<[DBusValue], BusError>)?
  /// The calls made to this client.
  public private(set) var questions: [String] = []
  private var replies: [UInt32: Result<[DBusValue], BusError>] = [:]
  private let connection: BusConnection

  public init(address: String) throws(BusError) {
    connection = try BusConnection(address: address)
    connection.match("type='signal',sender='org.bluez'")
    connection.match("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'")
  }

  public var uniqueName: String { connection.uniqueName }

  /// Becomes the owner of `name`: the service that others call by it.
  public func own(_ name: String) throws(BusError) { try connection.own(name) }

  /// Makes a call without waiting for its answer.
  public func begin(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
  ) -> UInt32 {
    let message = DBusMessage.call(to: "org.bluez", path, interface, member)
    message.append(arguments)
    return connection.send(message)
  }

  /// The answer to the call `serial`; nil when none came within `seconds`.
  public func reply(to serial: UInt32, seconds: Double = 300) throws(BusError) -> [DBusValue]? {
    guard wait(seconds, until: { self.replies[serial] != nil }) else { return nil }
    return try replies.removeValue(forKey: serial)?.get()
  }

  /// Makes a call and waits for its answer.
  @discardableResult
  public func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    seconds: Double = 300
  ) throws(BusError) -> [DBusValue] {
    let serial = begin(path, interface, member, arguments)
    guard let values = try reply(to: serial, seconds: seconds) else {
      throw BusError("org.freedesktop.DBus.Error.NoReply", "\(member) was not answered within \(seconds) s")
    }
    return values
  }

  /// Waits for a signal, also one that came already; false when none came within `seconds`.
  public func waitForSignal(seconds: Double = 300, where matches: (Signal) -> Bool) -> Bool {
    wait(seconds) { self.signals.contains(where: matches) }
  }

  /// Takes in what comes within `seconds`.
  public func listen(seconds: Double) { _ = wait(seconds) { false } }

  public func forgetSignals() { signals = [] }

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
      case .reply: replies[message.replySerial] = .success(message.arguments)
      case .error:
        let words = message.arguments.first?.text ?? ""
        replies[message.replySerial] = .failure(BusError(message.errorName, words))
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
    switch result {
    case .success(let values): connection.send(call.answer(values))
    case .failure(let error): connection.send(call.answer(error))
    }
  }
}

extension BusClient.Signal {
  /// The value that a PropertiesChanged gives to `name`.
  public func change(of name: String) -> DBusValue? {
    member == "PropertiesChanged" && arguments.count == 3 ? arguments[1].dictionary[name] : nil
  }

  /// The path whose interfaces came or went.
  public var object: String? { arguments.first?.text }
}

extension BusClient {
  /// Every object of org.bluez: path, interface, property.
  public func managedObjects() throws(BusError) -> [String: [String: [String: DBusValue]]] {
    let answer = try call("/", Interface.objectManager, "GetManagedObjects")
    return answer[0].dictionary.mapValues { $0.dictionary.mapValues(\.dictionary) }
  }

  public func property(_ path: String, _ interface: String, _ name: String) throws(BusError) -> DBusValue {
    try call(path, Interface.properties, "Get", [.string(interface), .string(name)])[0].unwrapped
  }

  public func setProperty(
    _ path: String, _ interface: String, _ name: String, _ value: DBusValue
  ) throws(BusError) {
    try call(path, Interface.properties, "Set", [.string(interface), .string(name), .variant(value)])
  }
}
