/// The target and the arguments of a method call.
package struct MethodCall: Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]
  /// Whether the bus may start the service for this call.
  package var startsService: Bool

  package init(
    destination: String, path: String, interface: String, member: String, arguments: [DBusValue] = [],
    startsService: Bool = false
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.startsService = startsService
  }
}

extension MethodCall {
  /// A call to the bus daemon itself.
  package static func onDaemon(_ member: String, _ arguments: [DBusValue]) -> MethodCall {
    MethodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: member, arguments: arguments)
  }
}

/// A signal or a method call from another client, read completely.
package struct IncomingMessage: Sendable {
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]

  package init(sender: String, path: String, interface: String, member: String, arguments: [DBusValue]) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
