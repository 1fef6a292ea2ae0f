/// An error as it stands in a D-Bus reply: its name and its words.
public struct BusError: Error, Sendable, Equatable, CustomStringConvertible {
  public var name: String
  public var message: String

  public init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  public var description: String { "\(name): \(message)" }
}

/// The errors of bluetoothd, in its own words (its src/error.c and the places named).
extension BusError {
  private static func bluez(_ name: String, _ message: String) -> BusError {
    BusError("org.bluez.Error." + name, message)
  }

  public static func failed(_ message: String) -> BusError { bluez("Failed", message) }
  public static func notPermitted(_ message: String) -> BusError { bluez("NotPermitted", message) }

  public static let notReady = bluez("NotReady", "Resource Not Ready")
  public static let invalidArguments = bluez("InvalidArguments", "Invalid arguments in method call")
  public static let inProgress = bluez("InProgress", "In Progress")
  /// What a second StartDiscovery of the same client gets.
  public static let busy = bluez("InProgress", "Operation already in progress")
  /// Connect while an ATT socket is pending: the words of ``busy`` under another name.
  public static let alreadyPending = failed("Operation already in progress")
  public static let alreadyExists = bluez("AlreadyExists", "Already Exists")
  public static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
  public static let notConnected = bluez("NotConnected", "Not Connected")
  public static let notSupported = bluez("NotSupported", "Operation is not supported")
  public static let notAuthorized = bluez("NotAuthorized", "Operation Not Authorized")
  public static let blocked = bluez("Blocked", "Blocked through rfkill")

  public static let abortedLocally = failed("le-connection-abort-by-local")
  /// A link lost or a Disconnect while Connect is pending, on LE too.
  public static let canceled = failed("br-connection-canceled")
  public static let inputOutput = failed("Input/output error")
  public static let noDiscovery = failed("No discovery started")
  public static let noNotifySession = failed("No notify session started")
  public static let gattNotConnected = failed("Not connected")
  public static let notifyAcquired = notPermitted("Notify acquired")
  public static let notPaired = notPermitted("Not paired")
  public static func att(_ code: UInt8) -> BusError {
    let hex = String(code, radix: 16)
    return failed("Operation failed with ATT error: 0x\(hex.count < 2 ? "0" : "")\(hex)")
  }

  public static let authenticationFailed = bluez("AuthenticationFailed", "Authentication Failed")
  public static let authenticationCanceled = bluez("AuthenticationCanceled", "Authentication Canceled")
  public static let connectionAttemptFailed = bluez("ConnectionAttemptFailed", "Page Timeout")
}

/// The errors of libdbus and of gdbus, the library inside bluetoothd.
extension BusError {
  static func unknown(_ call: DBusMessage, objectExists: Bool) -> BusError {
    BusError(
      "org.freedesktop.DBus.Error." + (objectExists ? "UnknownMethod" : "UnknownObject"),
      "Method \"\(call.member)\" with signature \"\(call.signature)\" on interface "
        + "\"\(call.interface)\" doesn't exist\n")
  }

  static func noSuchInterface(_ name: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.InvalidArgs", "No such interface '\(name)'")
  }

  static func noSuchProperty(_ name: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.InvalidArgs", "No such property '\(name)'")
  }

  static func invalidSignature(_ name: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.InvalidSignature", "Invalid signature for '\(name)'")
  }

  static func readOnly(_ name: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.PropertyReadOnly", "Property '\(name)' is not writable")
  }
}
