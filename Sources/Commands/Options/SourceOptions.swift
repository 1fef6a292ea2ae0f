import ArgumentParser
import HeartRate
import Simulator

/// The source of the heart beats.
struct SourceOptions: ParsableArguments {
  @Flag(name: .long, help: "Use the built-in simulated strap; no hardware is needed.")
  var simulate = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --simulate: the seed of the simulated heart; equal seeds give equal beats (default: 1).",
      valueName: "n"))
  var seed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      With --simulate: the speed of time: 1, a multiple such as 60, or max (default: 1). A faster session of known \
      length (--duration) is dated so that it ends now; any other starts now.
      """, valueName: "n|max"))
  var speed: PaceArgument?

  @Option(
    name: .customLong("strap"),
    help: ArgumentHelp(
      """
      The strap, by its address, or by the beginning or a word of its name if only one matches; STRAP=NAME measures for \
      profile NAME (default: the strap used last that answers).
      """,
      valueName: "strap"), completion: Completions.straps,
    transform: StrapArgument.init(argument:))
  var straps: [StrapArgument] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The Bluetooth adapter, by name (hci0) or address (default: the setting 'adapter', else the first).",
      valueName: "adapter"), completion: Completions.adapters)
  var adapter: String?

  func validate() throws {
    if !simulate, seed != nil || speed != nil {
      throw ValidationError("--seed and --speed apply to the simulated strap only: add --simulate.")
    }
    if simulate, !straps.isEmpty || adapter != nil {
      throw ValidationError(
        "--strap and --adapter select a real strap: leave them out, or leave out --simulate.")
    }
  }

  /// The one strap that is named, if one is.
  /// - Throws: ``CommandFailure`` where there are several: only `live` has a session for each.
  var onlyStrap: StrapArgument? {
    get throws(CommandFailure) {
      guard straps.count <= 1 else {
        throw CommandFailure(
          .usage,
          """
          this command takes one strap, and --strap is given \(straps.count) times. Measure several at once with: \
          stressmon live --strap \(straps[0].strap)=\(straps[0].profile?.name ?? "anna") --strap ...
          """)
      }
      return straps.first
    }
  }

  /// How long ago a simulated session that is to last `length` begins, so that it ends now however fast its time passes:
  /// what is in the history has happened.
  func headStart(over length: Duration?) -> Duration {
    guard simulate, let length else { return .zero }
    switch speed?.pace ?? .times(1) {
    case .maximum: return length
    case .times(let factor): return factor > 1 ? length - length / factor : .zero
    }
  }

  /// The simulated strap, its first event at `started`. Its wearer lives a day and breathes as `attendant` leads, or sits
  /// still for it.
  func simulated(
    started: WallTime, duration: Duration?, attendant: (any MarkSource)? = nil
  ) -> PacedSource<SimulatedStrap, ContinuousClock> {
    let seed = seed ?? 1
    let strap =
      if let attendant, attendant.leadsWholeSession {
        SimulatedStrap(
          seed: seed, startWall: started, duration: duration, sitting: Sitting { attendant.breath(at: $0) })
      } else if let attendant {
        SimulatedStrap(
          seed: seed, startWall: started, duration: duration,
          breathing: { time in attendant.breath(at: time)?.phase })
      } else {
        SimulatedStrap(seed: seed, startWall: started, duration: duration)
      }
    return PacedSource(strap, pace: speed?.pace ?? .times(1))
  }
}
