package import DBus

/// How things go with one strap. The lists are used up one entry a call; after the last, things go well.
package struct StrapScript: Sendable {
  package var connects: [Connect] = []
  package var resolve = Resolve.everything
  package var notifies: [Notify] = []
  package var acquires: [Notify] = []
  /// What becomes of the notify sessions that outlive a link when the next one is up.
  package var sessionsAfterReconnect = Sessions.registeredAgain
  /// A Connect during a discovery fails with le-connection-abort-by-local.
  package var connectFailsDuringDiscovery = false

  /// Seconds from the call to the link.
  package var connectDelay = 0.02
  /// Seconds after which Connect gives up on a silent strap.
  package var connectTimeout = 40.0
  /// Seconds from the link to ServicesResolved.
  package var resolveDelay = 0.02
  /// Services are resolved before Connect is answered.
  package var resolvesBeforeConnectReply = false
  /// Seconds that the answer to StartNotify takes.
  package var notifyDelay = 0.0
  /// Seconds from Disconnect to the end of the link; notifications go on until then.
  package var disconnectDelay = 2.0
  /// Seconds for which the person takes to press the button of a strap that is shown a passkey.
  package var pairingDelay = 0.02

  package enum Connect: Sendable {
    case succeeds
    /// The answer is success, and no link comes.
    case claimsSuccess
    /// The answer is `error`; `linkAfter` seconds later Connected turns true all the same.
    case fails(BusError, linkAfter: Double? = nil)
    case neverAnswered
    /// The device object is gone when the call arrives.
    case deviceVanishes
  }

  package enum Resolve: Sendable, Equatable {
    case everything
    /// ServicesResolved turns true, and 0x2A37 is not there.
    case withoutMeasurement
    /// As before, and it comes so many seconds later.
    case measurementLate(Double)
    /// ServicesResolved turns true, and every object comes so many seconds later.
    case flagBeforeObjects(Double)
    /// ServicesResolved turns true after a discovery that failed: no object at all.
    case flagOnly
    case never
  }

  package enum Notify: Sendable {
    case succeeds
    /// The answer is success, and no notification comes in this link.
    case silent
    case neverAnswered
    case fails(BusError)
  }

  package enum Sessions: Sendable {
    case registeredAgain
    /// Registering failed: the sessions are freed without a word, and Notifying stays true.
    case freedSilently
  }

  package init() {}
}
