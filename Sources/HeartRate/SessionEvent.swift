public import Time

/// An event of a session: the only input of the pipeline, for every source.
///
/// Live, recorded and replayed sessions consist of the same events and therefore give the same results.
public struct SessionEvent: Equatable, Sendable {
  /// Time of arrival since the start of the session. Events are ordered by this time.
  public var at: SessionTime
  /// Wall-clock time of arrival in us, or ``noWall``: an optional would enlarge each event by eight bytes.
  private var wallMicroseconds: Int64
  /// Type and content of the event.
  public var kind: Kind

  public init(at: SessionTime, wall: WallTime? = nil, _ kind: Kind) {
    self.at = at
    wallMicroseconds = wall?.microseconds ?? Self.noWall
    self.kind = kind
  }

  private static let noWall = Int64.min

  /// Wall-clock time of arrival, if the source provides it.
  public var wall: WallTime? {
    get { wallMicroseconds == Self.noWall ? nil : WallTime(microseconds: wallMicroseconds) }
    set { wallMicroseconds = newValue?.microseconds ?? Self.noWall }
  }

  /// Rare and large payloads are indirect, to keep the events that occur at each beat small.
  public enum Kind: Equatable, Sendable {
    /// A value of the Heart Rate Measurement characteristic, not yet decoded.
    case notification(payload: [UInt8])
    /// An RR interval of a source without arrival times (a text file), timed by the exact running sum.
    case interval(RRInterval)
    indirect case link(LinkChange)
    case battery(BatteryLevel)
    /// A value of the data characteristic of Polar's measurement data service (acceleration, ECG or PPI), not yet
    /// decoded; see ``SensorFrame``.
    case sensorFrame(payload: [UInt8])
    /// The start or the end of a stream of sensor frames.
    indirect case stream(SensorStreamChange)
    /// A note entered by the user during the session.
    indirect case mark(String)
    /// The end of the session; no event follows. Missing if the process was killed.
    case end
  }
}

/// A state change of the connection to the strap.
public struct LinkChange: Equatable, Sendable {
  /// Connection states. The raw values are used in the history and in recordings.
  public enum State: String, Sendable, CaseIterable {
    /// Scanning for the strap.
    case searching
    /// The strap was found; connecting.
    case connecting
    /// Connected and subscribed to the Heart Rate Measurement characteristic.
    case connected
    /// Connected, but no notification arrived within the timeout: displayed values are stale.
    case stale
    /// The connection ended. A gap begins.
    case lost

    /// Whether values that arrive in this state are live. Every other state makes all earlier values stale.
    package var hasLiveData: Bool { self == .connected }
  }

  /// The new state.
  public var state: State
  /// The strap, once it is known.
  public var strap: StrapIdentity?
  /// The reason for the change, as text for display.
  public var reason: String?

  public init(_ state: State, strap: StrapIdentity? = nil, reason: String? = nil) {
    self.state = state
    self.strap = strap
    self.reason = reason
  }
}

/// Identifies a strap by its address. The name is for display only: several straps can have the same name.
public struct StrapIdentity: Hashable, Sendable, CustomStringConvertible {
  /// Bluetooth device address in upper case, such as `C0:00:00:00:00:01`.
  public var address: String
  /// Advertised name. Unknown until an advertisement with a name was received.
  public var name: String?

  public init(address: String, name: String? = nil) {
    self.address = address.uppercased()
    self.name = name
  }

  public var description: String { name.map { "\($0) (\(address))" } ?? address }
}

/// The marks that delimit paced breathing in a session. The time between them does not count as rest, so
/// baseline estimation ignores it.
public enum BreathingMark: String, Sendable, CaseIterable {
  case begins = "breathing exercise begins"
  case ends = "breathing exercise ends"
}
