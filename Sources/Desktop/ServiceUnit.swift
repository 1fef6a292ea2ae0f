import DBus

/// A unit of the user's systemd, through the interface `org.freedesktop.systemd1.Manager` on the session bus (systemd 252).
///
///     let unit = ServiceUnit("stressmon.service", at: bus)
///     if try !unit.state().isEnabled { try unit.enable() }
///
/// The calls block until systemd answers, at most for 25 s each.
package struct ServiceUnit: Sendable {
  package struct State: Equatable, Sendable {
    /// Whether the unit starts when the user logs in.
    package let isEnabled: Bool
    /// `active`, `activating`, `inactive`, `failed` or another word of systemd.
    package let activity: String

    package var isRunning: Bool { ["active", "activating", "reloading"].contains(activity) }
  }

  package enum Failure: Error, Equatable, Sendable {
    /// The session bus or the user's systemd cannot be reached.
    case noManager(reason: String)
    /// The unit file is not installed.
    case notInstalled
    /// systemd rejected the request.
    case rejected(reason: String)
  }

  package let name: String
  private let address: String

  /// - Parameter address: the address of the session bus.
  package init(_ name: String, at address: String) { (self.name, self.address) = (name, address) }

  /// - Throws: ``Failure``
  package func state() throws(Failure) -> State { try state(try connection()) }

  /// Starts the unit now, and whenever the user logs in.
  package func enable() throws(Failure) -> State {
    let connection = try connection()
    _ = try state(connection)
    try call(connection, "EnableUnitFiles", [.strings([name]), .bool(false), .bool(true)])
    try call(connection, "Reload")
    try call(connection, "StartUnit", [.string(name), .string("replace")])
    return try state(connection)
  }

  /// Ends the unit now, and does not start it any more.
  package func disable() throws(Failure) -> State {
    let connection = try connection()
    _ = try state(connection)
    try call(connection, "DisableUnitFiles", [.strings([name]), .bool(false)])
    try call(connection, "Reload")
    try call(connection, "StopUnit", [.string(name), .string("replace")])
    return try state(connection)
  }

  // MARK: Calls

  private static let manager = "org.freedesktop.systemd1"

  private func connection() throws(Failure) -> PolledBusConnection {
    do throws(BusError) {
      return try PolledBusConnection(address: address)
    } catch {
      throw .noManager(reason: error.message)
    }
  }

  private func state(_ connection: PolledBusConnection) throws(Failure) -> State {
    let file = try call(connection, "GetUnitFileState", [.string(name)]).first?.text ?? ""
    guard case .objectPath(let path)? = try call(connection, "LoadUnit", [.string(name)]).first else {
      throw .rejected(reason: "LoadUnit returned no path")
    }
    let activity = try call(
      connection, "Get", [.string(Self.manager + ".Unit"), .string("ActiveState")], path: path,
      interface: "org.freedesktop.DBus.Properties")
    return State(
      isEnabled: file.hasPrefix("enabled"), activity: activity.first?.unwrapped.text ?? "unknown")
  }

  @discardableResult
  private func call(
    _ connection: PolledBusConnection, _ member: String, _ arguments: [DBusValue] = [],
    path: String = "/org/freedesktop/systemd1", interface: String = "org.freedesktop.systemd1.Manager"
  ) throws(Failure) -> [DBusValue] {
    do throws(BusError) {
      return try connection.call(
        MethodCall(
          destination: Self.manager, path: path, interface: interface, member: member, arguments: arguments,
          startsService: true))
    } catch {
      throw Failure(error)
    }
  }
}

extension ServiceUnit.Failure {
  fileprivate init(_ error: BusError) {
    switch error.name {
    case "org.freedesktop.DBus.Error.FileNotFound", "org.freedesktop.systemd1.NoSuchUnit":
      self = .notInstalled
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      self = .noManager(reason: error.message)
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
      self = .noManager(reason: error.message)
    default: self = .rejected(reason: error.message)
    }
  }
}
