package import History
import Platform

/// Checks the name of a profile before a command reads, stores or sends data of it: a typing error neither creates a person
/// nor shows an empty result.
///
/// ```swift
/// try ProfileCheck(location).require("anan", from: .option)  // there is no profile 'anan'. Did you mean: --profile anna ...
/// ```
package struct ProfileCheck {
  /// Where a name comes from, which determines what the error proposes.
  package enum Origin: Equatable, Sendable {
    /// The value of `--profile`.
    case option
    /// Another value for which a profile can be created, such as `--strap STRAP=NAME`.
    case value
    /// The setting `profile`. Valid for any name until something is stored.
    case setting
    /// The argument of a command that changes an existing profile.
    case argument
  }

  /// The profile that always exists.
  package static let usual = "me"

  private let stored: [String]
  private let database: String?

  /// - Throws: ``HistoryError`` if the history cannot be read.
  package init(_ location: StoreLocation) throws(HistoryError) {
    stored = try HistoryReader(location)?.profiles() ?? []
    database = location.isNamed ? location.path : nil
  }

  init(stored: [String]) { (self.stored, database) = (stored, nil) }

  /// The stored name of the profile. A stored name that is not valid, which earlier versions imported from files, is selected
  /// by the name that is displayed (`displayedProfileName`).
  /// - Throws: ``ReportError`` with the code `noProfile` if the profile does not exist.
  @discardableResult
  package func require(_ name: String, from origin: Origin) throws(ReportError) -> String {
    if origin == .setting, stored.isEmpty { return name }
    let known = stored.contains(Self.usual) || origin == .argument ? stored : [Self.usual] + stored
    if known.contains(name) { return name }
    if let displayed = stored.first(where: { $0.displayedProfileName == name.displayedProfileName }) {
      return displayed
    }
    throw ReportError(
      .noProfile(known: known.map(\.displayedProfileName), origin, database: database), name)
  }
}
