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

  package static func invalidSignature(_ name: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error.InvalidSignature", message: "Invalid signature for '\(name)'")
  }

  package static func readOnly(_ name: String) -> BusError {
    BusError(
      name: "org.freedesktop.DBus.Error.PropertyReadOnly", message: "Property '\(name)' is not writable")
  }
}
