/// The families of parameter names that avatars use.
package enum OSCNames: String, CaseIterable, Sendable {
  /// HRtoVRChat and iron-heart: `HR`, `isHRConnected`, `isHRBeat`, `HeartBeatToggle`, `RRInterval`, ...
  case hr
  /// `HeartRateInt`, `HeartRateFloat`, `HeartRateFloat01`, their numbered aliases, and `HeartBeatToggle`.
  case heartrate
}

extension OSCNames {
  /// The parameters of a heart rate in bpm; 0 withdraws it.
  func heartRate(_ bpm: Int, isLive: Bool) -> [OSCMessage] {
    let value = min(max(bpm, 0), 255)
    let signed = Float(value) / 127.5 - 1
    switch self {
    case .hr:
      return [
        .parameter("isHRConnected", .bool(isLive)), .parameter("isHRActive", .bool(isLive)),
        .parameter("HR", .int(Int32(value))), .parameter("onesHR", .int(Int32(value % 10))),
        .parameter("tensHR", .int(Int32(value / 10 % 10))),
        .parameter("hundredsHR", .int(Int32(value / 100))),
        .parameter("floatHR", .float(signed)), .parameter("HRPercent", .float(min(1, Float(value) / 150))),
      ]
    case .heartrate:
      let fraction = Float(value) / 255
      return [
        .parameter("HeartRateInt", .int(Int32(value))), .parameter("HeartRate3", .int(Int32(value))),
        .parameter("HeartRateFloat", .float(signed)), .parameter("HeartRate", .float(signed)),
        .parameter("HeartRateFloat01", .float(fraction)), .parameter("HeartRate2", .float(fraction)),
      ]
    }
  }

  /// The parameters of a beat; `isEven` alternates.
  func beat(isEven: Bool, milliseconds: Int32) -> [OSCMessage] {
    let toggle = OSCMessage.parameter("HeartBeatToggle", .bool(isEven))
    guard self == .hr else { return [toggle] }
    return [
      .parameter("isHRBeat", .bool(true)), toggle, .parameter("RRInterval", .int(milliseconds)),
    ]
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
