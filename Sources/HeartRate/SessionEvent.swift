/// Something that happened in a session: the one input of the pipeline, whatever the source.
///
/// Live, recorded and replayed sessions are the same list of events; that is why they give the same results.
public struct SessionEvent: Equatable, Sendable {
  /// When it arrived, since the session began. Events come in the order of their times.
  public var at: SessionTime
  /// What the wall clock showed, where the source knows.
  public var wall: WallTime?
  /// What happened.
  public var kind: Kind

  public init(at: SessionTime, wall: WallTime? = nil, _ kind: Kind) {
    self.at = at
    self.wall = wall
    self.kind = kind
  }

  /// What is rare and large lies elsewhere, so that the events of which there is one a beat are small to hand on.
  public enum Kind: Equatable, Sendable {
    /// A value of the Heart Rate Measurement characteristic, as it came: not yet decoded.
    case notification(payload: [UInt8])
    /// One RR of a source that has no arrival times (a text file), placed at the exact running sum.
    case interval(RRInterval)
    indirect case link(LinkChange)
    case battery(BatteryLevel)
    /// A note that the person made while it went on.
    indirect case mark(String)
    /// The session is over; nothing follows. A session that was killed has none.
    case end
  }
}

/// A change in the connection to the strap.
public struct LinkChange: Equatable, Sendable {
  /// How far the connection is, as stores and recordings name it.
  public enum State: String, Sendable, CaseIterable {
    /// Looking for the strap.
    case searching
    /// Found; the connection is being made.
    case connecting
    /// Connected, and subscribed to the Heart Rate Measurement characteristic.
    case connected
    /// Connected, but nothing has arrived for too long: what is on show is stale.
    case stale
    /// The connection ended. A gap begins here.
    case lost
  }

  /// What the connection is like from now on.
  public var state: State
  /// Which strap, once it is known.
  public var strap: StrapIdentity?
  /// Why, in words for a person.
  public var reason: String?

  public init(_ state: State, strap: StrapIdentity? = nil, reason: String? = nil) {
    self.state = state
    self.strap = strap
    self.reason = reason
  }
}

/// What tells one strap from another: its address. Names are for people; several straps may share one.
public struct StrapIdentity: Hashable, Sendable, CustomStringConvertible {
  /// Bluetooth device address in capitals, as `C0:00:00:00:00:01`.
  public var address: String
  /// As the strap advertises it; nil where it was never heard.
  public var name: String?

  public init(address: String, name: String? = nil) {
    self.address = address.uppercased()
    self.name = name
  }

  public var description: String { name.map { "\($0) (\(address))" } ?? address }
}
