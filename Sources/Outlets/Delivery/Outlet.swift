package import Localization

/// Converts events to the messages of one kind of target.
///
/// Encoders are pure: times are passed as ns of the boot clock, and equal inputs give equal outputs. An encoder receives all
/// events, also while its target is not connected, because ``connected(at:)`` must describe the current state.
package protocol OutletEncoder: Sendable {
  associatedtype Message: Sendable

  /// The messages of an event.
  mutating func encode(_ event: TimedEvent, at now: Int64) -> [Message]
  /// The messages that describe the current state, after connecting and on request of the target.
  mutating func connected(at now: Int64) -> [Message]
  /// The time of the next message that depends on time only, if one is scheduled.
  var nextDeadline: Int64? { get }
  /// The messages that are due at `now`.
  mutating func due(at now: Int64) -> [Message]
  /// The last messages before the connection is closed. The values were withdrawn before.
  mutating func closing() -> [Message]
}

extension OutletEncoder {
  package var nextDeadline: Int64? { nil }
  package mutating func due(at now: Int64) -> [Message] { [] }
  package mutating func closing() -> [Message] { [] }
}

/// Delivers the messages of one target. Operations may block, because each transport has its own thread.
package protocol OutletTransport: AnyObject {
  associatedtype Message: Sendable

  /// Begins to connect. Returns whether the target is connected; if not, ``service()`` reports the connection.
  func open() throws(OutletError) -> Bool
  func send(_ message: Message) throws(OutletError) -> Delivery
  /// Receives what the target sent, and sends what is pending.
  func service() throws(OutletError) -> [TransportEvent]
  /// What to wait for before the next ``service()``. A transport that only sends has no interest.
  var interest: TransportInterest? { get }
  /// Number of messages whose delivery is not known.
  var pendingCount: Int { get }
  /// Sends what is pending, for up to a second. Returns the number of messages whose delivery it observed.
  func flush() -> Int
  /// Disconnects at once.
  func close()
}

extension OutletTransport {
  package func service() throws(OutletError) -> [TransportEvent] { [] }
  package var interest: TransportInterest? { nil }
  package var pendingCount: Int { 0 }
  package func flush() -> Int { 0 }
}

/// The result of sending one message.
package enum Delivery: Equatable, Sendable {
  case delivered
  /// The transport reports the delivery later (``TransportEvent/delivered(_:)``).
  case pending
  /// The target does not accept messages at the moment. The connection continues.
  case dropped(OutletError)
}

package enum TransportEvent: Equatable, Sendable {
  case connected
  case delivered(Int)
  /// The target requests the current state.
  case requested
  /// The target requests an action of this program.
  case commanded(OutletCommand)
  /// Messages that the target rejected.
  case failed(Int, OutletError)
  /// A fault that does not end the connection.
  case warned(OutletError)
}

package struct TransportInterest: Equatable, Sendable {
  package var descriptor: CInt
  package var isWriting: Bool
  /// The longest time between two calls of ``OutletTransport/service()``, in ns.
  package var interval: Int64
}

/// A failure of a target: what was attempted, and what to type or check next.
package struct OutletError: Error, Equatable, Sendable, Translatable {
  package let message: Phrase

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package init(_ message: Phrase) { self.message = message }
}
