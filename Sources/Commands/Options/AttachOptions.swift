import ArgumentParser
import LiveFeed
import Localization
import NetworkCommands
import Platform
import Stress

/// The display of sessions that other processes run.
struct AttachOptions: ParsableArguments {
  @Flag(
    name: .long,
    help: .localized(
      """
      Show the sessions that other stressmon processes run, without measuring; SESSION selects one.
      """))
  var attach = false

  @Argument(
    help: ArgumentHelp(
      localized("With --attach: the beginning of the ID of the session to show (default: all)."),
      valueName: "session"))
  var session: String?

  func validate() throws {
    if session != nil, !attach {
      throw ValidationError(
        Phrase("a session requires --attach. Example: \("stressmon live --attach 01K")"))
    }
  }

  /// Rejects the options that apply to a session of this process.
  func validate(_ options: SessionOptions, _ recording: RecordOptions) throws {
    guard attach else { return }
    let other = recording.record != nil ? "--record" : options.view.speech.speak ? "--speak" : nil
    if let name = options.measuringOption ?? other { throw ValidationError.exclusive("--attach", name) }
  }

  /// - Throws: ``CommandFailure`` unless exactly one live session has the given ID; ``ReportError`` for a profile that does not
  ///   exist.
  func view(
    _ options: SessionOptions, _ context: CommandContext
  ) throws -> AttachedView {
    let directory = FeedDirectory(context.environment)
    if options.store.profile != nil { _ = try options.store.measuredProfile(context) }
    return AttachedView(
      directory: directory, location: try options.store.location(context),
      session: try session.map { try Self.session($0, directory.sessions()) },
      profile: options.store.profile?.name, metric: options.engine.settings(context).metric,
      style: options.view.style(context), options: options.view,
      context: context)
  }

  private static func session(_ prefix: String, _ live: [String]) throws(CommandFailure) -> String {
    let found = live.filter { $0.hasPrefix(prefix.uppercased()) }
    guard found.count <= 1 else {
      throw CommandFailure(
        .failed,
        Phrase("several live sessions begin with '\(prefix)': \(found.joined(separator: ", "))"))
    }
    guard let session = found.first else {
      throw CommandFailure(
        .failed,
        Phrase(
          "no live session begins with '\(prefix)'. Show all live sessions with: \("stressmon live --attach")"
        ))
    }
    return session
  }
}
