import DBus
import HeartRate

/// A failed operation, classified by its consequence for the link.
struct LinkFailure: Error, Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// An operation of another client is in progress; a retry succeeds later.
    case busy
    /// The object no longer exists: the device has to be found again.
    case vanished
    /// The adapter is off.
    case notReady
    /// There is no link, or it is ending.
    case notConnected
    /// Another program has exclusive access to the notifications.
    case notifyAcquired
    /// The strap requires encryption, and there is no bond.
    case needsPairing
    /// The timeout of the call passed without an answer.
    case unanswered
    case denied
    /// The service or the bus is gone.
    case noService
    case noBus
    /// Connected, but without the characteristic 0x2A37.
    case noHeartRate
    /// Any other error: retry.
    case transient
  }

  var kind: Kind
  /// BlueZ's name and message of the error.
  var message: String
}

extension LinkFailure {
  /// Classifies by name and message, since BlueZ uses one name for several conditions and one message with several
  /// names ("Operation already in progress" occurs as InProgress and as Failed).
  init(_ error: BusError) {
    self.init(kind: Self.kind(of: error), message: error.description)
  }

  /// Whether a retry cannot succeed.
  var isPermanent: Bool {
    switch kind {
    case .notifyAcquired, .needsPairing, .denied, .noHeartRate: true
    default: false
    }
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
    // ATT errors: insufficient authentication, authorization, key size or encryption.
    case let text
    where ["0x05", "0x08", "0x0c", "0x0f", "0x0e"].contains { text.hasSuffix("ATT error: \($0)") }:
      .needsPairing
    default: .transient
    }
  }
}

extension StrapError {
  init(_ failure: LinkFailure, target: StrapIdentity?) {
    let message = failure.message
    switch (failure.kind, target) {
    case (.noBus, _): self = .noBus(message)
    case (.noService, _): self = .noBluetoothd(message)
    case (.denied, _): self = .accessDenied(message)
    case (.needsPairing, let target?): self = .pairingNeeded(target, message)
    case (.notifyAcquired, let target?): self = .notifyAcquired(target, message)
    case (.noHeartRate, let target?): self = .noHeartRate(target)
    case (.unanswered, let target?): self = .subscribeFailed(target, message)
    case (_, let target?): self = .connectFailed(target, message)
    case (.unanswered, nil): self = .noBluetoothd(message)
    case (_, nil): self = .unexpected(message)
    }
  }
}
