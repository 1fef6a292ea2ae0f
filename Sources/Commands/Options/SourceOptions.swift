import ArgumentParser
import HeartRate
import Localization
import NetworkCommands
import Session
import Simulator

/// The source of the heart beats.
struct SourceOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Use the built-in simulated strap."))
  var simulate = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        With --simulate: the seed of the simulated heart; equal seeds give equal beats (default: 1).
        """),
      valueName: "n"))
  var seed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        With --simulate: the speed of time: 1, a multiple such as 60, or max (default: 1). A faster session of known \
        length (--duration) is dated so that it ends now; any other starts now. Also with a file as --source.
        """), valueName: "n|max"))
  var speed: PaceArgument?

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      localized(
        """
        Instead of a strap, the lines that another program writes to standard input (-), a FIFO or a socket \
        (unix:PATH), or a file of such lines (docs/reference/source-protocol.md).
        """), valueName: "-|path"), completion: Completions.files)
  var lines: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        With --simulate: what the simulated person does, as the acceleration of the chest shows it: still, breathing, \
        fidgeting, walking, running, lying, removed, or a sequence with durations in seconds such as \
        breathing:120,walking:60 (default: no acceleration).
        """), valueName: "list"))
  var activity: ActivityArgument?

  @Flag(
    name: .customLong("no-motion"),
    help: .localized("Do not use the strap's acceleration, which shows whether the person is at rest."))
  var noMotion = false

  @Option(
    name: .customLong("strap"),
    help: ArgumentHelp(
      localized(
        """
        The strap, by address, or by the beginning or a word of its name (default: the one used last that answers); \
        STRAP=NAME measures for profile NAME.
        """),
      valueName: "strap"), completion: Completions.straps,
    transform: StrapArgument.init(argument:))
  var straps: [StrapArgument] = []

  @OptionGroup var bluetooth: AdapterOption

  func validate() throws {
    if !simulate, seed != nil || speed != nil && lines == nil || activity != nil {
      throw ValidationError(
        Phrase("--seed, --speed and --activity apply to the simulated strap only: add --simulate."))
    }
    if simulate, !straps.isEmpty || bluetooth.adapter != nil {
      throw ValidationError(
        Phrase("--strap and --adapter select a real strap: leave them out, or leave out --simulate."))
    }
    if lines != nil, let otherSource { throw ValidationError.exclusive("--source", otherSource) }
  }

  /// The option that cannot be used with `--source`.
  private var otherSource: String? {
    simulate
      ? "--simulate"
      : !straps.isEmpty
        ? "--strap"
        : bluetooth.adapter != nil
          ? "--adapter"
          : noMotion ? "--no-motion" : nil
  }

  /// The strap of `--strap`, if the option is given.
  /// - Throws: ``CommandFailure`` for several straps, which only `live` supports.
  var onlyStrap: StrapArgument? {
    get throws(CommandFailure) {
      guard straps.count <= 1 else {
        throw CommandFailure(
          .usage,
          Phrase(
            """
            this command measures one strap, but --strap is given \(straps.count) times. Measure several at once with: \
            \("stressmon live --strap \(straps[0].strap)=\(straps[0].profile?.name ?? "anna") --strap ...")
            """))
      }
      return straps.first
    }
  }

  /// The simulated strap, if `--simulate` is given.
  var simulated: SimulatedSource? {
    guard simulate else { return nil }
    return SimulatedSource(
      seed: seed ?? 1, pace: speed?.pace ?? .times(1), motion: noMotion ? nil : activity?.script)
  }
}

/// The activities of a simulated person.
struct ActivityArgument: ExpressibleByArgument {
  let script: MotionScript

  init?(argument: String) {
    guard let script = MotionScript(argument) else { return nil }
    self.script = script
  }

  static var allValueStrings: [String] { SimulatedActivity.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The speed of stored or simulated time: `1`, a multiple such as `60`, `x60` or `0.5`, or `max`.
struct PaceArgument: ExpressibleByArgument, Equatable, Sendable {
  var pace: Pace

  init(_ pace: Pace) { self.pace = pace }

  init?(argument: String) {
    let text = argument.lowercased()
    guard text != "max" else {
      pace = .maximum
      return
    }
    let bare = text.hasPrefix("x") ? text.dropFirst() : text.hasSuffix("x") ? text.dropLast() : text[...]
    guard let factor = Double(bare), factor >= 0.01, factor <= 1e6 else { return nil }
    pace = .times(factor)
  }

  var defaultValueDescription: String {
    switch pace {
    case .maximum: "max"
    case .times(let factor): factor == factor.rounded() ? "\(Int64(factor))" : "\(factor)"
    }
  }
}

/// The electrocardiogram of a strap, which verifies each beat.
struct ECGOption: ParsableArguments {
  @Flag(
    name: .long,
    help: .localized(
      """
      Also receive the electrocardiogram of the strap (Polar H10, 2 MB per hour), and verify each beat with it.
      """))
  var ecg = false

  func validate(_ options: SessionOptions, isAttached: Bool = false) throws {
    guard ecg else { return }
    if options.source.simulate {
      throw ValidationError(
        Phrase("--ecg needs a real strap: the simulated strap has no electrocardiogram."))
    }
    let other = isAttached ? "--attach" : options.source.lines != nil ? "--source" : nil
    if let other { throw ValidationError.exclusive("--ecg", other) }
  }

  func add(to setup: inout SessionSetup) {
    if ecg { setup.source.addECG() }
  }

  func added(to setup: SessionSetup) -> SessionSetup {
    var setup = setup
    add(to: &setup)
    return setup
  }
}
