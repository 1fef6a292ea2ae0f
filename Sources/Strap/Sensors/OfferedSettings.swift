import HeartRate

/// The settings that a stream offers: the parameters of a response, each as its type, the number of values and the values.
struct OfferedSettings: Equatable, Sendable {
  private(set) var rates: [Int] = []
  private(set) var resolutions: [Int] = []
  private(set) var ranges: [Int] = []
  private(set) var channels: [Int] = []
  private(set) var factor: Double?

  /// - Throws: ``SensorControlError/malformed`` for an unknown type or truncated values.
  init(parameters: [UInt8]) throws(SensorControlError) {
    var rest = parameters[...]
    while let byte = rest.popFirst() {
      guard let type = SensorSettingType(rawValue: byte), let count = rest.popFirst().map(Int.init),
        rest.count >= count * type.length
      else { throw .malformed }
      for _ in 0..<count {
        var value: UInt32 = 0
        for index in 0..<type.length { value |= UInt32(rest.removeFirst()) << UInt32(8 * index) }
        add(value, to: type)
      }
    }
  }

  private mutating func add(_ value: UInt32, to type: SensorSettingType) {
    switch type {
    case .rate: rates.append(Int(value))
    case .resolution: resolutions.append(Int(value))
    case .range: ranges.append(Int(value))
    case .channels: channels.append(Int(value))
    case .factor:
      let number = Double(Float(bitPattern: value))
      if number.isFinite, number > 0 { factor = number }
    case .rangeInMilliUnits: break
    }
  }

  /// The settings to start `stream` with: acceleration at 25 Hz or the next higher rate, and at ±8 g (running saturates lower
  /// ranges) or the next smaller range; an ECG at its only rate.
  func selected(for stream: SensorStream) -> SensorSettings {
    let defaults = SensorSettings.defaults(for: stream)
    return SensorSettings(
      rate: rates.filter { $0 >= defaults.rate ?? 0 }.min() ?? rates.max() ?? defaults.rate,
      resolution: resolutions.max() ?? defaults.resolution,
      range: ranges.filter { $0 <= defaults.range ?? 8 }.max() ?? ranges.min()
        ?? (rates.isEmpty ? defaults.range : nil),
      factor: factor ?? 1, channels: channels.first)
  }
}

extension SensorSettings {
  /// The settings of an H10, used if a strap does not state its own.
  static func defaults(for stream: SensorStream) -> SensorSettings {
    switch stream {
    case .acceleration: SensorSettings(rate: 25, resolution: 16, range: 8)
    case .ecg: SensorSettings(rate: 130, resolution: 14)
    case .ppi: SensorSettings()
    }
  }
}
