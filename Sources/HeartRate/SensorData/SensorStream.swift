/// A measurement of Polar's measurement data service (PMD). The raw value is the measurement type on the wire.
public enum SensorStream: UInt8, Sendable, CaseIterable {
  /// Electrocardiogram in µV.
  case ecg = 0
  /// Acceleration in mg, three axes, including gravity.
  case acceleration = 2
  /// Pulse-to-pulse intervals of optical sensors in ms, with an error estimate.
  case ppi = 3

  /// The name in recordings and in JSON.
  public var name: String {
    switch self {
    case .ecg: "ecg"
    case .acceleration: "acceleration"
    case .ppi: "ppi"
    }
  }

  public init?(name: some StringProtocol) {
    guard let stream = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = stream
  }
}

/// The settings of a running stream.
public struct SensorSettings: Equatable, Hashable, Sendable {
  /// Nominal sampling rate in Hz. PPI has none, and that of a stream that another program started is unknown.
  public var rate: Int?
  /// Bits per value.
  public var resolution: Int?
  /// Full scale in g.
  public var range: Int?
  /// Factor of the values of compressed frames; 1 if the strap does not state it.
  public var factor: Double
  /// Number of channels, if the strap offers a choice. Needed only to start the stream, so not recorded.
  public var channels: Int?

  /// - Parameter rate: A rate that is not positive counts as unknown.
  public init(
    rate: Int? = nil, resolution: Int? = nil, range: Int? = nil, factor: Double = 1, channels: Int? = nil
  ) {
    self.rate = rate.flatMap { $0 > 0 ? $0 : nil }
    self.resolution = resolution
    self.range = range
    self.factor = factor
    self.channels = channels
  }
}

/// The start or the end of a sensor stream, or the reason why the stream is unavailable.
public struct SensorStreamChange: Equatable, Sendable {
  /// The raw values are used in the history and in recordings.
  public enum State: String, Sendable, CaseIterable {
    /// The strap sends, or is about to send, frames with these settings.
    case started
    case stopped
    /// The strap does not provide the stream.
    case unavailable
  }

  public var stream: SensorStream
  public var state: State
  public var settings: SensorSettings
  /// The reason for the change, as text for display.
  public var reason: String?

  /// The reason of the start of an electrocardiogram that verifies the beats of the session. It never changes: a recording
  /// without it is replayed without verification, as it was measured.
  public static let verification = "it verifies the beats"

  /// Whether the stream verifies the beats of the session.
  public var verifies: Bool { stream == .ecg && state == .started && reason == Self.verification }

  public init(
    _ stream: SensorStream, _ state: State, settings: SensorSettings = SensorSettings(), reason: String? = nil
  ) {
    self.stream = stream
    self.state = state
    self.settings = settings
    self.reason = reason
  }
}
