import Breathing

/// A command of `stressmon` that the server runs as a child process on request.
package struct Activity: Equatable, Sendable {
  package enum Command: String, Sendable, CaseIterable {
    case live
    case measure
    case morning
    case breathe
  }

  package var command: Command
  /// Whether the simulated strap is used.
  package var isSimulated = false
  /// The pattern of `breathe`; nil for its default.
  var pattern: BreathingPattern?
  /// The length of the breathing of `breathe` in minutes; nil for its default.
  var minutes: Int?

  package init(_ command: Command, isSimulated: Bool = false) {
    (self.command, self.isSimulated) = (command, isSimulated)
  }

  static let lengths = 1...60

  /// The arguments of the command, without those of the database and the profile.
  var arguments: [String] {
    var arguments = [command.rawValue, "--json"]
    if isSimulated { arguments.append("--simulate") }
    if let pattern { arguments += ["--pattern", pattern.name] }
    if let minutes { arguments += ["--minutes", "\(minutes)"] }
    return arguments
  }
}
