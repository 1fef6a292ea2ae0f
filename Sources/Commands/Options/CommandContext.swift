import HeartRate
import History
import Localization
import Platform

/// The profile that a command is about, and its database.
struct CommandContext {
  let location: StoreLocation
  let profile: String

  init(location: StoreLocation, profile: String) {
    self.location = location
    self.profile = profile
  }

  init(_ store: StoreOptions) throws {
    let environment = ProcessEnvironment.current
    try self.init(store, Configuration(environment: environment), environment)
  }

  /// For commands that read: the profile has to exist.
  init(_ store: StoreOptions, _ configuration: Configuration, _ environment: ProcessEnvironment) throws {
    location = try store.location(configuration, environment)
    profile = try store.existingProfile(configuration, environment)
  }

  /// For commands that store data: asks before it creates the profile.
  init(storing store: StoreOptions) throws {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    location = try store.location(configuration, environment)
    profile = try store.profileToStore(configuration, environment)
  }

  /// Nil while nothing is stored.
  func reader() throws(HistoryError) -> HistoryReader? { try HistoryReader(location) }

  private static let listing = "stressmon history --sessions"

  /// The session of the profile whose name begins with `prefix`.
  /// - Throws: ``CommandFailure`` that says where sessions are listed, when there is none.
  func session(_ prefix: String) throws -> StoredSession {
    guard let found = try reader()?.session(beginningWith: prefix, of: profile) else {
      throw CommandFailure(
        .failed,
        Phrase("no stored session of '\(profile)' begins with '\(prefix)'. See them with: \(Self.listing)"))
    }
    return found
  }
}
