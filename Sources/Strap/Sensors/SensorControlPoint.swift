import HeartRate

/// A request to the control point of Polar's measurement data service (PMD).
///
/// Source: Polar, online_measurement.pdf, version 1.0, August 2024.
enum SensorRequest: Equatable, Sendable {
  /// Requests the settings that a stream offers.
  case settings(SensorStream)
  case start(SensorStream, SensorSettings)
  case stop(SensorStream)

  var stream: SensorStream {
    switch self {
    case .settings(let stream), .start(let stream, _), .stop(let stream): stream
    }
  }

  var operation: UInt8 {
    switch self {
    case .settings: 1
    case .start: 2
    case .stop: 3
    }
  }

  /// The value to write: the operation, the measurement type, and for a start the settings, each as its type, the number
  /// of values (1) and the value.
  var encoded: [UInt8] {
    guard case .start(let stream, let settings) = self, stream != .ppi else {
      return [operation, stream.rawValue]
    }
    var bytes = [operation, stream.rawValue]
    bytes.append(.rate, settings.rate)
    bytes.append(.resolution, settings.resolution)
    bytes.append(.range, settings.range)
    if let channels = settings.channels {
      bytes += [SensorSettingType.channels.rawValue, 1, UInt8(channels)]
    }
    return bytes
  }
}

/// The type of a setting on the wire.
enum SensorSettingType: UInt8, Sendable {
  case rate = 0
  case resolution = 1
  case range = 2
  case rangeInMilliUnits = 3
  case channels = 4
  case factor = 5

  /// Length of a value in bytes.
  var length: Int {
    switch self {
    case .rate, .resolution, .range: 2
    case .rangeInMilliUnits, .factor: 4
    case .channels: 1
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ type: SensorSettingType, _ value: Int?) {
    guard let value else { return }
    self += [type.rawValue, 1, UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }
}

/// The streams that a strap provides: the value read from the control point, `0F` and a mask with bit n for type n.
struct SensorFeatures: Equatable, Sendable {
  let mask: UInt8

  /// - Throws: ``SensorControlError/malformed`` for another value.
  init(payload: [UInt8]) throws(SensorControlError) {
    guard payload.count >= 2, payload[0] == 0x0F else { throw .malformed }
    mask = payload[1]
  }

  func contains(_ stream: SensorStream) -> Bool { mask >> stream.rawValue & 1 == 1 }
}

/// Why a strap refuses a request.
enum SensorControlError: Error, Equatable, Sendable {
  /// A value that is not a response, or a truncated one.
  case malformed
  case refused(Code)

  enum Code: UInt8, Sendable {
    case invalidOperation = 1
    case invalidType
    case notSupported
    case invalidLength
    case invalidParameter
    case alreadyInState
    case invalidResolution
    case invalidRate
    case invalidRange
    case invalidMTU
    case invalidChannels
    case invalidState
    case charging
    /// Any other code.
    case unknown = 255

    /// The reason as text.
    var reason: String {
      switch self {
      case .invalidMTU: "the MTU of the link is too small"
      case .charging: "the sensor is in its charger"
      case .alreadyInState: "the stream already runs"
      case .notSupported, .invalidType: "the strap does not support it"
      default: "the strap refused the request with error \(rawValue)"
      }
    }
  }
}

/// An indication of the control point: `F0`, the operation, the type, the error, whether more follows, and parameters.
struct SensorResponse: Equatable, Sendable {
  let operation: UInt8
  let type: UInt8
  /// Absent on success.
  let error: SensorControlError.Code?
  let parameters: [UInt8]

  /// - Throws: ``SensorControlError/malformed``.
  init(payload: [UInt8]) throws(SensorControlError) {
    guard payload.count >= 4, payload[0] == 0xF0 else { throw .malformed }
    operation = payload[1]
    type = payload[2] & 0x3F
    error = payload[3] == 0 ? nil : SensorControlError.Code(rawValue: payload[3]) ?? .unknown
    parameters = Array(payload.dropFirst(5))
  }

  func answers(_ request: SensorRequest) -> Bool {
    operation == request.operation && type == request.stream.rawValue
  }
}
