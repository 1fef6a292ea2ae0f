import CDBus

/// An error reply, or why there was none: the D-Bus name of the error and the words that came with it.
struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
  var name: String
  var message: String

  var description: String { message.isEmpty ? name : "\(name): \(message)" }
}

extension BusError {
  /// Errors of libdbus and of the bus daemon.
  static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
  static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
  static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
  static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
  static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  static let noReply = "org.freedesktop.DBus.Error.NoReply"
  static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  static let noMemory = "org.freedesktop.DBus.Error.NoMemory"
  static let inconsistentMessage = "org.freedesktop.DBus.Error.InconsistentMessage"

  /// The call's own deadline passed.
  static func timedOut(_ call: MethodCall, after deadline: Duration) -> BusError {
    BusError(
      name: noReply, message: "no answer to \(call.member) within \(deadline.components.seconds) s")
  }

  /// The connection was closed, by us or by the bus.
  static let closed = BusError(name: disconnected, message: "the connection to the system bus is closed")

  /// The task that waited was cancelled.
  static let cancelled = BusError(name: "stressmon.Cancelled", message: "cancelled")

  /// Takes over what libdbus filled in, and frees it.
  init(taking error: inout DBusError) {
    name = error.name.map { String(cString: $0) } ?? Self.noMemory
    message = error.message.map { String(cString: $0) } ?? ""
    dbus_error_free(&error)
  }
}
