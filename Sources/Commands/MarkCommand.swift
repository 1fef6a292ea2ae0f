import ArgumentParser
import HeartRate
import JSONLines
import LiveFeed
import Localization
import NetworkCommands
import Platform
import Terminal

/// Marks an event of an experiment in the running sessions.
struct MarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", _superCommandName: Stressmon.name,
    abstract: localized(
      "Mark a moment in the running session, for example from the script of an experiment."),
    discussion: localized(
      """
      The mark has exactly this text, and is stored with the session. It does not become a journal entry. Prints the \
      session time that the mark received, which is the time of the request, or that of --at. Exit code 2 means that no session runs. \
      Segments of 'analyze', 'compare' and 'study' can begin and end with marks (docs/guide/experiments.md).
      """) + "\n"
      + examples(
        "stressmon mark stimulus", "stressmon mark block2 --json",
        "stressmon mark response --at 2026-11-20T10:00:00.250Z"))

  @Argument(help: ArgumentHelp(localized("The text of the mark."), valueName: "name"))
  var name = "mark"

  @Option(
    name: .long,
    help: ArgumentHelp(localized("The time of the event, at most 10 s ago."), valueName: "time"),
    transform: TimeArgument.init(momentArgument:))
  var at: TimeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The session, by the beginning of its ID (default: all running sessions)."), valueName: "id"))
  var session: String?

  @Flag(name: .long, help: .localized("Print one JSON object per session."))
  var json = false

  func validate() throws {
    let limit = FeedRequest.longestNote
    guard !FeedRequest.normalized(name).isEmpty, !FeedRequest.isTooLong(note: name) else {
      throw ValidationError(Phrase("the text of a mark has 1 to \(limit) characters."))
    }
  }

  func run() throws {
    let directory = FeedDirectory(.current)
    let sessions = directory.sessions().filter { $0.hasPrefix(session?.uppercased() ?? "") }
    let replies = directory.send(.event(text: name, time: at?.start), toEach: sessions)
    guard !replies.isEmpty else {
      throw CommandFailure(.noStrap, Phrase("no session is running. Start one with: \("stressmon live")"))
    }
    var refusal: String?
    for (session, reply) in replies {
      switch reply {
      case .marked(let text, let seconds, let time): try print(text, at: seconds ?? 0, time, session)
      case .refused(let reason): refusal = reason
      }
    }
    if let refusal { throw CommandFailure(.failed, Phrase("not marked: \(refusal)")) }
  }

  private func print(_ text: String, at seconds: Double, _ time: WallTime?, _ session: String) throws {
    let output = StandardOutput()
    guard json else {
      let (name, seconds) = (text.printable, seconds.fixed(3))
      let clock = time.map { LocalZone.text($0) } ?? "-"
      return try output.line(
        localized("marked '\(name)' at \(seconds) s (\(clock)) in session \(session)"))
    }
    var line = JSONLine()
    line.line { line in
      line.put("session", session)
      line.put("mark", text)
      line.put("monotonic_s", seconds)
      line.put("time", time?.rfc3339)
    }
    try output.write(line.bytes)
  }
}
