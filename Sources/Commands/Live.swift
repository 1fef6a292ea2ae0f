import ArgumentParser
import Localization
import NetworkCommands
import Platform
import Session

struct Live: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", _superCommandName: Stressmon.name,
    abstract: localized("Measure heart rate, HRV and stress live, beat by beat."),
    discussion: localized(
      """
      Shows a screen on a terminal and prints lines elsewhere, and stores the session in the history. Ctrl-C ends it.
      Keys on the screen: h help, space pause the display, m set a mark, w change the trend, b breathe, q quit.
      Several --strap options run one session per strap; STRAP=NAME selects the profile of each.
      """) + "\n"
      + examples(
        "stressmon live", "stressmon live --simulate --speed 10",
        "stressmon live --json --record morning.jsonl --duration 5m",
        "stressmon live --strap C0:FF:EE:00:00:01=anna --strap C0:FF:EE:00:00:02=ben",
        "stressmon live --attach                   "
          + localized("the sessions that the service or another terminal runs")))

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("End after this time, for example 90s, 5m or 1h30m (default: at Ctrl-C)."),
      valueName: "duration"))
  var duration: DurationArgument?

  @OptionGroup var recording: RecordOptions

  @OptionGroup var attachment: AttachOptions

  @OptionGroup var electrocardiogram: ECGOption

  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    try duration?.duration.requireAtLeast(.seconds(1), "--duration", example: "5m")
    try attachment.validate(options, recording)
    try electrocardiogram.validate(options, isAttached: attachment.attach)
    if let record = recording.record, options.source.straps.count > 1 {
      throw ValidationError(
        Phrase(
          """
          '--record \(record)' records one strap, and --strap is given \(options.source.straps.count) times. The history \
          stores every session; to record files, run one command per strap: \(single(record))
          """))
    }
  }

  /// The command that records the first strap only.
  private func single(_ record: String) -> String {
    let first = options.source.straps[0]
    return
      "stressmon live --strap \(first.strap) --profile \(first.profile?.name ?? "anna") --record \(record)"
  }

  func perform() async throws {
    let context = try CommandContext()
    if attachment.attach {
      return try await attachment.view(options, context).run(atMost: duration?.duration)
    }
    var setups = try options.setups(context)
    let notices = NoticeDelivery(context)
    defer { notices.end() }
    for index in setups.indices {
      setups[index].duration = duration?.duration
      electrocardiogram.add(to: &setups[index])
      notices.add(to: &setups[index])
    }
    if let target = recording.target { setups[0].recording = target }
    try await SessionView(
      setups: setups, labels: options.labels(context), options: options.view, context: context
    ).run()
  }
}
