import Dashboard
import Fleet
import History
import Localization
import NetworkCommands
import Platform

/// Creates the workers of `nats://` targets.
struct FleetTargets {
  private let options: PublishOptions
  private let environment: ProcessEnvironment

  init(_ options: PublishOptions, _ environment: ProcessEnvironment) {
    (self.options, self.environment) = (options, environment)
  }

  /// Whether a target is one of a fleet.
  static func contains(_ target: String) -> Bool {
    NatsURL.isURL(target)
  }

  /// - Throws: ``FleetError`` with the code `usage`.
  func workers(_ targets: [String]) async throws(FleetError) -> [FleetWorker] {
    guard !targets.isEmpty else { return [] }
    let servers = try targets.map(server)
    let participants = try Participants(
      path: options.participants ?? Participants.defaultPath(environment), only: options.profile)
    let location = try await location()
    warn(participants, location)
    return servers.map { server, receiver, target in
      if let warning = server.warning { printWarning(warning) }
      let publisher = FleetPublisher(
        server, participants, receiver: receiver, location: location,
        endsWhenCaughtUp: options.untilCaughtUp)
      let name = String(target.prefix { $0 != "?" })
      let count = participants.sessions.count
      printMessage(
        Phrase(
          "publishing \(count) profile of \(location.path) to \(name)",
          "publishing \(count) profiles of \(location.path) to \(name)", count: count))
      return FleetWorker(name, publisher)
    }
  }

  /// The server of a target with the code of the receiver.
  private func server(_ target: String) throws(FleetError) -> (NatsURL, FleetCode, String) {
    let server = try NatsURL(target, allowing: ["receiver"], environment)
    // A missing file is an error of the user that no further attempt corrects.
    try server.checkFiles()
    return (server, try receiver(server, target), target)
  }

  /// Warns of participants without data, which are published as soon as they have some.
  private func warn(_ participants: Participants, _ location: StoreLocation) {
    if participants.isReadableByOthers {
      printWarning(
        Phrase(
          """
          other users can read the file with the participants, which connects names with codes; correct this with chmod 600
          """))
    }
    guard let reader = try? HistoryReader(location), let stored = try? reader.profiles() else {
      return printWarning(Phrase("the history \(location.path) contains nothing yet"))
    }
    for profile in participants.sessions.map(\.name) where !stored.contains(profile) {
      printWarning(
        Phrase(
          """
          the history contains no profile \(profile) yet; list the profiles with: stressmon profile list
          """))
    }
  }

  private func receiver(_ server: NatsURL, _ target: String) throws(FleetError) -> FleetCode {
    guard let text = server.options["receiver"] else { return try FleetCode.receiver() }
    guard let code = FleetCode(text) else {
      throw FleetError(
        .usage,
        Phrase("'\(target)' is not valid: receiver= must be 1 to 64 of the characters A-Z a-z 0-9 _ -"))
    }
    return code
  }

  private func location() async throws(FleetError) -> StoreLocation {
    let program: String
    do throws(NoMeasuringProgram) {
      program = try MeasuringProgram.find()
    } catch { throw FleetError(.local, error.message) }
    let settings = await Settings(program)
    do throws(HistoryError) {
      return try settings.location(options.database, environment)
    } catch { throw FleetError(.local, error.message) }
  }
}
