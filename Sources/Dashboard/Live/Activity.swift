import Breathing
import Localization

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
  /// The length of the breathing of `breathe`, or of a morning reading, in minutes; nil for the default.
  var minutes: Int?
  /// The language of its messages; nil for that of the server.
  var language: Language?

  package init(_ command: Command, isSimulated: Bool = false) {
    (self.command, self.isSimulated) = (command, isSimulated)
  }

  /// Limits of `minutes`; nil for a command without a length.
  static func lengths(_ command: Command) -> ClosedRange<Int>? {
    switch command {
    case .breathe: 1...60
    case .morning: 1...5
    case .live, .measure: nil
    }
  }

  /// The length of a reading after its first beat in s; nil for other commands.
  var readingSeconds: Int? {
    switch command {
    case .measure: 60
    case .morning: 60 * (minutes ?? 1)
    case .live, .breathe: nil
    }
  }

  /// The arguments of the command, without those of the database and the profile.
  var arguments: [String] {
    var arguments = [command.rawValue, "--json"]
    if isSimulated { arguments.append("--simulate") }
    if let pattern { arguments += ["--pattern", pattern.name] }
    if let minutes {
      arguments += command == .morning ? ["--duration", "\(minutes)m"] : ["--minutes", "\(minutes)"]
    }
    return arguments
  }
}
