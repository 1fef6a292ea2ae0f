import ArgumentParser
import Localization

/// A strap on the command line: `C0:FF:EE:00:00:01`, `Polar H10`, or with the profile that it measures,
/// `Polar H10=anna`.
struct StrapArgument: Equatable, Sendable {
  /// Address or name.
  let strap: String
  /// The default is the profile of the whole run.
  let profile: ProfileName?

  /// - Throws: ``ValidationError`` if the strap or the profile after the last `=` is missing or invalid.
  init(argument: String) throws {
    guard let equals = argument.lastIndex(of: "=") else {
      guard !argument.isEmpty else {
        throw ValidationError(Phrase("expected an address or a name. Example: \("--strap \"Polar H10\"")"))
      }
      (strap, profile) = (argument, nil)
      return
    }
    let name = String(argument[argument.index(after: equals)...])
    guard equals > argument.startIndex, let profile = ProfileName(argument: name) else {
      throw ValidationError(
        Phrase(
          "the strap before the '=' or the profile after it is missing. Example: --strap C0:FF:EE:00:00:01=anna"
        )
      )
    }
    strap = String(argument[..<equals])
    self.profile = profile
  }
}

extension [StrapArgument] {
  /// - Throws: ``ValidationError`` if a strap is named twice, or if `--profile` has no effect.
  func validate(profile: ProfileName?) throws {
    var seen: Set<String> = []
    for strap in self where !seen.insert(strap.strap.lowercased()).inserted {
      throw ValidationError(Phrase("'--strap \(strap.strap)' is given twice: leave out one of them."))
    }
    if let profile, !isEmpty, allSatisfy({ $0.profile != nil }) {
      throw ValidationError(
        Phrase(
          "'--profile \(profile.name)' has no effect: every --strap already names a profile (STRAP=NAME)."))
    }
  }

  /// A label for each strap: its profile, or the strap if several straps share the profile.
  func labels(profile: String) -> [String] {
    let profiles = map { $0.profile?.name ?? profile }
    return zip(self, profiles).map { strap, own in
      profiles.count { $0 == own } == 1 ? own : strap.strap
    }
  }
}
