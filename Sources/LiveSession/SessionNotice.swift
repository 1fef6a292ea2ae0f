package import Stress

/// Something that a session reports to the person besides its values.
package enum SessionNotice: Equatable, Sendable {
  /// A question, which is stored under this number.
  case prompt(Int64, StressPrompt)
  /// The category of the stress value has changed.
  case category(StressCategory)
  /// A condition that the person set is fulfilled.
  case alarm(AlarmCondition)

  /// The value of `notice` in JSON.
  var name: String {
    switch self {
    case .prompt: "prompt"
    case .category: "category"
    case .alarm: "alarm"
    }
  }
}
