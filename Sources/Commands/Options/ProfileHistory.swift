import HeartRate
import History
import Localization
import Platform
import Reports
import Terminal

/// The profile of a command, and its database.
struct ProfileHistory {
  let location: StoreLocation
  let profile: String

  init(location: StoreLocation, profile: String) {
    self.location = location
    self.profile = profile
  }

  /// For commands that read, or change what is stored.
  /// - Throws: ``ReportError`` for a profile that does not exist.
  init(_ store: StoreOptions, _ context: CommandContext) throws {
    location = try store.location(context, mustExist: true)
    profile = try store.existingProfile(context)
  }

  init(_ store: StoreOptions) throws { try self.init(store, CommandContext()) }

  /// For commands that store data, for which the history is created.
  init(storing store: StoreOptions, _ context: CommandContext) throws {
    location = try store.location(context)
    profile = try store.existingProfile(context)
  }

  /// Returns `nil` as long as no session is stored.
  func reader() throws(HistoryError) -> HistoryReader? { try HistoryReader(location) }

  private static let listing = "stressmon history --sessions"

  /// The session of the profile whose ID begins with `prefix`.
  /// - Throws: ``CommandFailure`` with the command that lists sessions, if no ID begins with `prefix`.
  func session(_ prefix: String) throws -> StoredSession {
    guard let found = try reader()?.session(beginningWith: prefix, of: profile) else {
      throw CommandFailure(
        .failed,
        Phrase(
          "no session ID of '\(profile)' begins with '\(prefix)'. List the sessions with: \(Self.listing)"))
    }
    return found
  }

  /// The session of the profile that started last.
  /// - Throws: ``CommandFailure`` if no session is stored.
  func latestSession() throws -> StoredSession {
    guard let session = try reader()?.sessions(of: profile, limit: 1).first else { throw nothingMeasured }
    return session
  }

  /// The number of the latest measurement of the profile.
  /// - Throws: ``CommandFailure`` if nothing was measured.
  func latestMeasurement() throws -> Int64 {
    guard let present = try reader()?.present(of: profile, before: SystemClock.wall.moved(seconds: 6)) else {
      throw nothingMeasured
    }
    return present.measurement.id
  }

  private var nothingMeasured: CommandFailure {
    CommandFailure(
      .failed, Phrase("nothing of '\(profile.printable)' is stored yet. Begin with: \("stressmon measure")"))
  }
}
