import CDBus

/// An error reply, or the reason why there was none: the D-Bus name of the error and its message.
package struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
  package var name: String
  package var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : "\(name): \(message)" }
}

extension BusError {
  /// Errors of libdbus and of the bus daemon.
  package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
  package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
  package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
  package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
  package static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  package static let noReply = "org.freedesktop.DBus.Error.NoReply"
  package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  package static let noMemory = "org.freedesktop.DBus.Error.NoMemory"
  package static let inconsistentMessage = "org.freedesktop.DBus.Error.InconsistentMessage"

  /// The timeout of the call passed without a reply.
  static func timedOut(_ call: MethodCall, after timeout: Duration) -> BusError {
    BusError(
      name: noReply, message: "no answer to \(call.member) within \(timeout.components.seconds) s")
  }

  /// The connection was closed by this program or by the bus.
  package static let closed = BusError(
    name: disconnected, message: "the connection to the system bus is closed")

  /// The task that awaited the reply was cancelled.
  package static let cancelled = BusError(name: "stressmon.Cancelled", message: "cancelled")

  /// Copies an error that libdbus has set, and frees it.
  init(consuming error: inout DBusError) {
    name = unsafe error.name.map { unsafe String(cString: $0) } ?? Self.noMemory
    message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    unsafe dbus_error_free(&error)
  }
}
