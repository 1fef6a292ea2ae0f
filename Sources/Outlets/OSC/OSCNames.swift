/// The families of parameter names that avatars use.
package enum OSCNames: String, CaseIterable, Sendable {
  /// HRtoVRChat and iron-heart: `HR`, `isHRConnected`, `isHRBeat`, `HeartBeatToggle`, `RRInterval`, ...
  case hr
  /// `HeartRateInt`, `HeartRateFloat`, `HeartRateFloat01`, their numbered aliases, and `HeartBeatToggle`.
  case heartrate
  /// vrc-osc-miband-hrm: `Heartrate`, `Heartrate2` and `Heartrate3`, with a small r.
  case vard
  /// VRCOSC and the prefabs that it feeds: `VRCOSC/Heartrate/Value`, `Normalised`, `Beat`, ...
  case vrcosc
}

extension OSCNames {
  /// The names of the families, for messages.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// Parses names separated by commas, `all` or `none`.
  package static func list(_ text: String) -> [OSCNames]? {
    if text == "all" { return allCases }
    if text == "none" { return [] }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
      OSCNames(rawValue: String($0))
    }
    let valid = names.compactMap(\.self)
    return valid.count == names.count ? valid : nil
  }

  /// The parameters of a heart rate in bpm; 0 withdraws it.
  /// - Parameter mean: mean heart rate of the window in bpm.
  func heartRate(_ bpm: Int, mean: Double, isLive: Bool) -> [OSCMessage] {
    let value = min(max(bpm, 0), 255)
    let (integer, signed, fraction) = (Int32(value), Float(value) / 127.5 - 1, Float(value) / 255)
    let digits = [value % 10, value / 10 % 10, value / 100]
    switch self {
    case .hr:
      return [
        .parameter("isHRConnected", .bool(isLive)), .parameter("isHRActive", .bool(isLive)),
        .parameter("HR", .int(integer)), .parameter("onesHR", .int(Int32(digits[0]))),
        .parameter("tensHR", .int(Int32(digits[1]))), .parameter("hundredsHR", .int(Int32(digits[2]))),
        .parameter("floatHR", .float(signed)), .parameter("HRPercent", .float(min(1, Float(value) / 150))),
      ]
    case .heartrate:
      return [
        .parameter("HeartRateInt", .int(integer)), .parameter("HeartRate3", .int(integer)),
        .parameter("HeartRateFloat", .float(signed)), .parameter("HeartRate", .float(signed)),
        .parameter("HeartRateFloat01", .float(fraction)), .parameter("HeartRate2", .float(fraction)),
      ]
    case .vard:
      // The original program divides by 127, not by 127.5.
      return [
        .parameter("Heartrate", .float(min(1, Float(value) / 127 - 1))),
        .parameter("Heartrate2", .float(fraction)), .parameter("Heartrate3", .int(integer)),
      ]
    case .vrcosc:
      let average = Int32(min(max(mean, 0), 255).rounded())
      return [
        ("Connected", .bool(isLive)), ("Enabled", .bool(isLive)), ("Value", .int(integer)),
        ("Normalised", .float(min(1, Float(value) / 240))), ("Average", .int(average)),
        ("Units", .float(Float(digits[0]) / 10)), ("Tens", .float(Float(digits[1]) / 10)),
        ("Hundreds", .float(Float(digits[2]) / 10)),
      ].map { .parameter(Self.vrcoscPrefix + $0, $1) }
    }
  }

  private static let vrcoscPrefix = "VRCOSC/Heartrate/"

  /// The parameters of a beat; `isEven` alternates.
  func beat(isEven: Bool, milliseconds: Int32) -> [OSCMessage] {
    let toggle = OSCMessage.parameter("HeartBeatToggle", .bool(isEven))
    switch self {
    case .hr:
      return [.parameter("isHRBeat", .bool(true)), toggle, .parameter("RRInterval", .int(milliseconds))]
    case .heartrate: return [toggle]
    case .vard: return []
    case .vrcosc: return [.parameter(Self.vrcoscPrefix + "Beat", .bool(isEven))]
    }
  }

  /// The parameter at the end of the pulse of a beat.
  var beatEnd: [OSCMessage] { self == .hr ? [.parameter("isHRBeat", .bool(false))] : [] }

  func battery(_ percent: Int) -> [OSCMessage] {
    self == .hr ? [.parameter("HRBattery", .int(Int32(clamping: percent)))] : []
  }
}

extension OSCMessage {
  /// A parameter of the avatar.
  static func parameter(_ name: String, _ argument: Argument) -> OSCMessage {
    OSCMessage("/avatar/parameters/" + name, argument)
  }
}
