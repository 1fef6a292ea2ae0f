import ArgumentParser

/// The name of a profile: one person. 1 to 64 characters, none of them a control character.
struct ProfileName: ExpressibleByArgument, Equatable, Sendable {
  let name: String

  init?(argument: String) {
    let isPrintable = argument.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard (1...64).contains(argument.count), isPrintable else { return nil }
    name = argument
  }

  static var defaultCompletionKind: CompletionKind { Completions.profiles }
}
