import CDBus

/// The interfaces that every object has.
package enum StandardInterface {
  package static let properties = "org.freedesktop.DBus.Properties"
  package static let introspectable = "org.freedesktop.DBus.Introspectable"
  package static let peer = "org.freedesktop.DBus.Peer"
}

/// A call of `org.freedesktop.DBus.Properties` with valid arguments.
package enum PropertyAccess: Equatable, Sendable {
  case get(interface: String, name: String)
  case all(interface: String)
  case set(interface: String, name: String, value: DBusValue)

  /// - Throws: UnknownMethod for other members and arguments.
  package init(_ call: DBusMessage) throws(BusError) {
    let arguments = call.arguments
    switch (call.member, call.signature) {
    case ("GetAll", "s"): self = .all(interface: arguments[0].text ?? "")
    case ("Get", "ss"): self = .get(interface: arguments[0].text ?? "", name: arguments[1].text ?? "")
    case ("Set", "ssv"):
      self = .set(
        interface: arguments[0].text ?? "", name: arguments[1].text ?? "", value: arguments[2].unwrapped)
    default: throw .unknown(call, objectExists: true)
    }
  }

  /// The answer to a reading access, from the properties of each interface.
  package func read(_ interfaces: [String: [String: DBusValue]]) throws(BusError) -> [DBusValue] {
    switch self {
    case .all(let interface):
      guard let properties = interfaces[interface] else { throw .noSuchInterface(interface) }
      return [.properties(properties)]
    case .get(let interface, let name), .set(let interface, let name, _):
      guard let properties = interfaces[interface] else { throw .noSuchInterface(interface) }
      guard let value = properties[name] else { throw .noSuchProperty(name) }
      guard case .get = self else { throw .readOnly(name) }
      return [.variant(value)]
    }
  }
}

/// An object with one interface, whose properties are read-only.
package struct ServedObject: Sendable {
  package let path: String
  package let interface: String
  /// The introspection data of the object, which name all interfaces.
  package let introspection: String

  package init(path: String, interface: String, introspection: String) {
    (self.path, self.interface, self.introspection) = (path, interface, introspection)
  }

  /// The values of the reply to `call`.
  /// - Parameters:
  ///   - properties: the values of the properties.
  ///   - perform: performs a method of ``interface``.
  package func answer(
    _ call: DBusMessage, properties: () -> [String: DBusValue],
    perform: (IncomingMessage, _ signature: String) throws(BusError) -> [DBusValue]?
  ) throws(BusError) -> [DBusValue] {
    switch (call.interface, call.member, call.signature) {
    case (StandardInterface.peer, "Ping", ""): return []
    case (StandardInterface.peer, "GetMachineId", ""): return [.string(try Self.machineID())]
    case (StandardInterface.introspectable, "Introspect", ""):
      if call.path == path { return [.string(introspection)] }
      if let child = child(of: call.path) { return [.string("<node><node name=\"\(child)\"/></node>")] }
    default: break
    }
    guard call.path == path else { throw .unknown(call, objectExists: child(of: call.path) != nil) }
    if call.interface == StandardInterface.properties {
      return try PropertyAccess(call).read([interface: properties()])
    }
    // A call may omit the interface.
    guard [interface, ""].contains(call.interface), let values = try perform(call.incoming, call.signature)
    else { throw .unknown(call, objectExists: true) }
    return values
  }

  /// The next element of ``path`` below its ancestor `ancestor`, by which tools find the object.
  private func child(of ancestor: String) -> Substring? {
    let prefix = ancestor == "/" ? ancestor : ancestor + "/"
    return path.hasPrefix(prefix) ? path.dropFirst(prefix.count).split(separator: "/").first : nil
  }

  private static func machineID() throws(BusError) -> String {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard let id = unsafe dbus_try_get_local_machine_id(&error) else {
      throw unsafe BusError(consuming: &error)
    }
    defer { unsafe dbus_free(id) }
    return unsafe String(cString: id)
  }
}

/// The errors that an object answers to calls that it cannot perform, with the texts of gdbus.
extension BusError {
  /// No such method; or no such object, if `objectExists` is false.
  package static func unknown(_ call: DBusMessage, objectExists: Bool) -> BusError {
    BusError(
      name: objectExists ? unknownMethod : unknownObject,
      message: "Method \"\(call.member)\" with signature \"\(call.signature)\" on interface "
        + "\"\(call.interface)\" doesn't exist\n")
  }

  package static func invalidArguments(_ message: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error.InvalidArgs", message: message)
  }

  package static func noSuchInterface(_ name: String) -> BusError {
    invalidArguments("No such interface '\(name)'")
  }

  package static func noSuchProperty(_ name: String) -> BusError {
    invalidArguments("No such property '\(name)'")
  }

  package static func readOnly(_ name: String) -> BusError {
    BusError(
      name: "org.freedesktop.DBus.Error.PropertyReadOnly", message: "Property '\(name)' is not writable")
  }
}
