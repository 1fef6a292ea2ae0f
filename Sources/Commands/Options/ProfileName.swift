import ArgumentParser
import Localization
import Platform
import Terminal

/// The name of a profile: one person. 1 to 64 characters, none of them a control character.
struct ProfileName: ExpressibleByArgument, Equatable, Sendable {
  let name: String

  init?(argument: String) {
    let isPrintable = argument.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard (1...64).contains(argument.count), isPrintable else { return nil }
    name = argument
  }

  /// - Throws: ``ValidationError`` for a name that a new profile cannot have, because it would be displayed differently.
  func requireNew() throws {
    guard name.asProfileName == name else {
      throw ValidationError(
        Phrase(
          "'\(name.printable)' is not the name of a profile: type 1 to 64 characters without control characters."
        ))
    }
  }

  static var defaultCompletionKind: CompletionKind { Completions.profiles }
}
