package import DBus

/// The outcomes of the calls that concern one strap. Each call consumes one entry of its list; without an entry it succeeds.
package struct StrapScript: Sendable {
  package var connects: [Connect] = []
  package var resolve = Resolve.everything
  package var notifies: [Notify] = []
  package var acquires: [Notify] = []
  /// The outcome, on the next link, for notify sessions that outlive a link.
  package var sessionsAfterReconnect = Sessions.registeredAgain
  /// A Connect during a discovery fails with le-connection-abort-by-local.
  package var connectFailsDuringDiscovery = false

  /// Seconds from the call to the link.
  package var connectDelay = 0.02
  /// Timeout, in seconds, of Connect to an absent strap.
  package var connectTimeout = 40.0
  /// Seconds from the link to ServicesResolved.
  package var resolveDelay = 0.02
  /// Services are resolved before Connect is answered.
  package var resolvesBeforeConnectReply = false
  /// Seconds until StartNotify is answered.
  package var notifyDelay = 0.0
  /// Seconds from Disconnect to the end of the link, during which notifications continue.
  package var disconnectDelay = 2.0
  /// Seconds until the user presses the button of a strap after a passkey was displayed.
  package var pairingDelay = 0.02

  package enum Connect: Sendable {
    case succeeds
    /// The answer is success, but no link follows.
    case claimsSuccess
    /// The answer is `error`, but `linkAfter` seconds later Connected becomes true.
    case fails(BusError, linkAfter: Double? = nil)
    case neverAnswered
    /// The device object does not exist when the call arrives.
    case deviceVanishes
  }

  package enum Resolve: Sendable, Equatable {
    case everything
    /// ServicesResolved becomes true without 0x2A37.
    case withoutMeasurement
    /// ServicesResolved becomes true, and 0x2A37 appears so many seconds later.
    case measurementLate(Double)
    /// ServicesResolved becomes true, and all objects appear so many seconds later.
    case flagBeforeObjects(Double)
    /// ServicesResolved becomes true after a failed discovery, without any object.
    case flagOnly
    case never
  }

  package enum Notify: Sendable {
    case succeeds
    /// The answer is success, but no notification arrives on this link.
    case silent
    case neverAnswered
    case fails(BusError)
  }

  package enum Sessions: Sendable {
    case registeredAgain
    /// Registration failed: the sessions are freed without a signal, and Notifying stays true.
    case freedSilently
  }

  package init() {}
}
