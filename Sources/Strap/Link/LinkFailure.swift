/// What a failed operation means for the link, whatever BlueZ called it.
struct LinkFailure: Error, Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// Somebody else's operation is in the way; it will pass.
    case busy
    /// The object is gone: the device has to be found again.
    case vanished
    /// The adapter is off.
    case notReady
    /// No link, or it is ending.
    case notConnected
    /// Another program holds the notifications alone.
    case notifyAcquired
    /// The strap wants encryption, and there is no bond.
    case needsPairing
    /// Our own deadline passed without an answer.
    case unanswered
    case denied
    /// The service or the bus is gone.
    case noService
    case noBus
    /// Connected, but no 0x2A37 there.
    case noHeartRate
    /// Everything else: try again.
    case transient
  }

  var kind: Kind
  /// BlueZ's own words.
  var words: String
}

extension LinkFailure {
  /// Reads name and message together: BlueZ uses one name for several conditions, and one message under
  /// several names ("Operation already in progress" comes as InProgress and as Failed).
  init(_ error: BusError) {
    self.init(kind: Self.kind(of: error), words: error.description)
  }

  private static func kind(of error: BusError) -> Kind {
    switch error.name {
    case "org.bluez.Error.InProgress": .busy
    case "org.bluez.Error.NotReady": .notReady
    case "org.bluez.Error.NotConnected": .notConnected
    case "org.bluez.Error.NotPermitted": error.message == "Notify acquired" ? .notifyAcquired : .needsPairing
    case "org.bluez.Error.NotAuthorized", "org.bluez.Error.AuthenticationFailed",
      "org.bluez.Error.AuthenticationRejected", "org.bluez.Error.AuthenticationCanceled",
      "org.bluez.Error.AuthenticationTimeout":
      .needsPairing
    case "org.bluez.Error.Failed": kind(ofFailure: error.message)
    case BusError.unknownObject, BusError.unknownMethod, BusError.unknownInterface,
      "org.bluez.Error.DoesNotExist":
      .vanished
    case BusError.noReply: .unanswered
    case BusError.accessDenied: .denied
    case BusError.disconnected: .noBus
    case BusError.serviceUnknown, BusError.nameHasNoOwner: .noService
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): .noService
    case let name where name.hasPrefix("org.freedesktop.systemd1."): .noService
    default: .transient
    }
  }

  private static func kind(ofFailure message: String) -> Kind {
    switch message {
    case "Operation already in progress", "In Progress", "le-connection-busy": .busy
    case "le-connection-adapter-not-powered", "br-connection-adapter-not-powered": .notReady
    case "Not connected", "Not Connected": .notConnected
    case "le-connection-key-missing", "br-connection-key-missing": .needsPairing
    // ATT errors: insufficient authentication, authorization, key size and encryption.
    case let text
    where ["0x05", "0x08", "0x0c", "0x0f", "0x0e"].contains { text.hasSuffix("ATT error: \($0)") }:
      .needsPairing
    default: .transient
    }
  }
}
