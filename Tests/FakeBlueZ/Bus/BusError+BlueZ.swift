package import DBus

/// The errors of bluetoothd, with its messages (src/error.c and the places named).
extension BusError {
  private static func bluez(_ name: String, _ message: String) -> BusError {
    BusError(name: "org.bluez.Error." + name, message: message)
  }

  package static func failed(_ message: String) -> BusError { bluez("Failed", message) }
  package static func notPermitted(_ message: String) -> BusError { bluez("NotPermitted", message) }

  package static let notReady = bluez("NotReady", "Resource Not Ready")
  package static let invalidArguments = bluez("InvalidArguments", "Invalid arguments in method call")
  package static let inProgress = bluez("InProgress", "In Progress")
  /// The reply to a second StartDiscovery of the same client.
  package static let busy = bluez("InProgress", "Operation already in progress")
  /// The reply to Connect while an ATT socket is pending: the message of ``busy`` with another name.
  package static let alreadyPending = failed("Operation already in progress")
  package static let alreadyExists = bluez("AlreadyExists", "Already Exists")
  package static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
  package static let notConnected = bluez("NotConnected", "Not Connected")
  package static let notSupported = bluez("NotSupported", "Operation is not supported")
  package static let notAuthorized = bluez("NotAuthorized", "Operation Not Authorized")
  package static let blocked = bluez("Blocked", "Blocked through rfkill")

  package static let abortedLocally = failed("le-connection-abort-by-local")
  /// The link was lost, or Disconnect was called, while Connect was pending; also for LE.
  package static let canceled = failed("br-connection-canceled")
  package static let inputOutput = failed("Input/output error")
  package static let noDiscovery = failed("No discovery started")
  package static let noNotifySession = failed("No notify session started")
  package static let gattNotConnected = failed("Not connected")
  package static let notifyAcquired = notPermitted("Notify acquired")
  package static let notPaired = notPermitted("Not paired")
  package static func att(_ code: UInt8) -> BusError {
    let hex = String(code, radix: 16)
    return failed("Operation failed with ATT error: 0x\(hex.count < 2 ? "0" : "")\(hex)")
  }

  package static let authenticationFailed = bluez("AuthenticationFailed", "Authentication Failed")
  package static let authenticationCanceled = bluez("AuthenticationCanceled", "Authentication Canceled")
  package static let connectionAttemptFailed = bluez("ConnectionAttemptFailed", "Page Timeout")
}
