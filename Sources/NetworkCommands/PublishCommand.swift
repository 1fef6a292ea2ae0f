package import ArgumentParser
import Localization
import Platform

/// `stressmon publish`.
package struct PublishCommand: NetworkCommand {
  static let name = "\(programName) publish"

  package static let configuration = CommandConfiguration(
    commandName: "publish", _superCommandName: programName,
    abstract: localized(
      """
      Send live values to VRChat (OSC), Home Assistant (MQTT), LSL, files and fleets (stressmon-net).
      """),
    discussion: localized(
      """
      Publishes the live session of this user as long as it runs; start one with 'stressmon live' or the service. Values that \
      are not live are withdrawn. A failed target is retried and does not affect the others. Without targets, those of the \
      setting 'publish' are used. A target has one of these forms.
      """) + "\n\n" + targets + "\n\n"
      + localized(
        """
        With nats:// (tls:// with encryption), publish sends the stored sessions of a study completely, also those that were \
        recorded while the network was down. This requires the file ~/.config/stressmon/participants with a line 'PROFILE = CODE \
        [since YYYY-MM-DD]' for each person; other profiles are not published, and names are not sent.
        """) + "\n\n"
      + examples(
        "stressmon publish osc://",
        "stressmon publish mqtt://192.168.1.5 file:/run/user/1000/hr",
        "stressmon publish --from - osc://    "
          + localized("reads the lines of 'live --json' from standard input"),
        "stressmon publish nats://10.0.0.1,10.0.0.2,10.0.0.3/sleep?credentials=nats.creds",
        "stressmon publish --list    " + localized("state and counts of each target"),
        "stressmon publish enroll    " + localized("joins a fleet with the code of an invitation")),
    version: programVersion, subcommands: [PublishRunCommand.self, PublishEnrollCommand.self],
    defaultSubcommand: PublishRunCommand.self)

  package init() {}

  package var request: NetworkRequest { preconditionFailure("the default subcommand is parsed instead") }

  /// The forms of targets.
  private static var targets: String {
    """
    osc://HOST:PORT[?names=all&chatbox={hr} bpm]   \(localized("OSC over UDP (default 127.0.0.1:9000)"))
    mqtt://HOST[:PORT][/ID][?credentials=FILE&name=PERSON&commands=on]
    mqtts://HOST[:PORT][/ID][?credentials=FILE&ca=FILE&cert=FILE&key=FILE]
    file:PATH[?value=stress]            \(localized("only the value, or a text with values:"))
    file:PATH?text={hr} bpm, stress {stress}
    file:PATH?format=prometheus         \(localized("metrics for node_exporter"))
    http://HOST[:PORT]/PATH[?secret=FILE&events=category,mark]   \(localized("a webhook, with retry and HMAC"))
    exec:PROGRAM[?arg=TEXT&interval=60]  \(localized("a program per event, with JSON in its standard input"))
    lsl:[NAME]                          \(localized("streams of the Lab Streaming Layer (requires liblsl)"))
    nats://HOST[:PORT][,HOST[:PORT]...]/STUDY[?credentials=FILE&ca=FILE&cert=FILE&key=FILE&receiver=CODE]
    """
  }
}

/// `stressmon publish run`, which is `stressmon publish`.
struct PublishRunCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", _superCommandName: PublishCommand.name,
    abstract: localized(
      "Send values to targets until Ctrl-C, or list the targets of running processes (default)."),
    discussion: examples("stressmon publish osc://", "stressmon publish --list"))

  @OptionGroup var options: PublishOptions

  @Flag(name: .long, help: .localized("Print the state of each target of the running processes."))
  var list = false

  @Flag(
    name: .long,
    help: .localized("Remove the devices of mqtt:// targets from Home Assistant, with all that brokers keep.")
  )
  var remove = false

  @Flag(name: .long, help: .localized("With --list: print one JSON object per target."))
  var json = false

  func validate() throws {
    if list, !options.targets.isEmpty || options.from != nil {
      throw ValidationError(
        localized("--list takes no targets and no --from. Example: stressmon publish --list"))
    }
    if remove, list || options.from != nil {
      throw ValidationError(
        localized(
          "--remove excludes --list and --from. Example: stressmon publish --remove mqtt://192.168.1.5"))
    }
    if json, !list {
      throw ValidationError(localized("--json requires --list. Example: stressmon publish --list --json"))
    }
  }

  var request: NetworkRequest {
    list ? .listTargets(asJSON: json) : remove ? .removeDevices(options) : .publish(options)
  }
}

/// `stressmon publish enroll`.
struct PublishEnrollCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll", _superCommandName: PublishCommand.name,
    abstract: localized(
      """
      Store the credentials of an invitation to a fleet, and add its study to the setting 'publish'.
      """),
    discussion: localized(
      """
      Reads the code that 'stressmon collect invite' printed from standard input, or asks for it. An argument works as \
      well, but other users of this machine can read it in the list of processes meanwhile. Writes the key and the \
      certificates to ~/.config/stressmon/fleet, and connects once. Another invitation to the same study replaces the \
      first one.
      """) + "\n\n"
      + examples("stressmon publish enroll"))

  @Argument(help: .localized("The code of the invitation."))
  var code: String?

  var request: NetworkRequest { .enroll(code: code) }
}

/// The targets and options of `publish`.
package struct PublishOptions: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp(localized("Where to send values to."), valueName: "target"))
  package var targets: [String] = []

  @Option(
    name: .long,
    help: .localized("Read the lines of 'live --json' from standard input (-), and end with them."))
  package var from: String?

  @Option(
    name: .long,
    help: .localized("The names of OSC parameters: hr (HR, isHRBeat, ...), heartrate, vard, vrcosc or all."))
  package var names = OSCNamesArgument.hr

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Mark the running sessions with the markers of this stream of the Lab Streaming Layer."),
      valueName: "lsl:name"))
  package var markers: String?

  @Option(name: .long, help: .localized("Publish the sessions of this profile only."))
  package var profile: String?

  @Option(
    name: .long,
    help: .localized(
      """
      With nats:// targets: the file with the participants (default: ~/.config/stressmon/participants).
      """),
    completion: .file())
  package var participants: String?

  @Option(
    name: .customLong("db"),
    help: .localized("With nats:// targets: the database file (default: that of 'stressmon history')."),
    completion: .file())
  package var database: String?

  @Flag(
    name: .long,
    help: .localized("With nats:// targets: end when all stored events were acknowledged (exit code 0)."))
  package var untilCaughtUp = false

  @Flag(name: .long, help: .localized("Print each session, and the state of the targets once a minute."))
  package var verbose = false

  package init() {}

  package func validate() throws {
    if let from, from != "-" {
      throw ValidationError(
        localized(
          "'--from \(from)' is not valid: only - (standard input) is. Example: --from - < lines.jsonl"))
    }
    if let markers, !markers.hasPrefix("lsl:") || markers == "lsl:" {
      throw ValidationError(
        localized("'--markers \(markers)' is not valid. Example: --markers lsl:PsychoPy"))
    }
    if markers != nil, from != nil {
      throw ValidationError(localized("--markers marks running sessions; omit it with --from"))
    }
    if from != nil, untilCaughtUp {
      throw ValidationError(
        localized("--from has no effect on nats:// targets; omit it with --until-caught-up"))
    }
  }
}

/// The families of OSC parameter names.
package enum OSCNamesArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
  case hr
  case heartrate
  case vard
  case vrcosc
  case all
}
