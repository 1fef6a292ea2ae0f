import ArgumentParser
import HeartRate
import Simulator

/// Where heart beats come from.
struct SourceOptions: ParsableArguments {
  @Flag(name: .long, help: "Use the built-in simulated strap instead of a real one.")
  var simulate = false

  @Option(
    name: .long,
    help: ArgumentHelp("Which simulated heart; equal seeds beat alike (default: 1).", valueName: "n"))
  var seed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How fast simulated time passes: 1, a multiple such as 60, or max (default: 1).", valueName: "n|max"))
  var speed: PaceArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("The strap, by address or name (default: the one used last).", valueName: "strap"))
  var strap: String?

  @Option(
    name: .long, help: ArgumentHelp("The Bluetooth adapter: hci0, or its address.", valueName: "adapter"))
  var adapter: String?

  func validate() throws {
    if !simulate, seed != nil || speed != nil {
      throw ValidationError("--seed and --speed are for the simulated strap: add --simulate.")
    }
    if simulate, strap != nil || adapter != nil {
      throw ValidationError("--strap and --adapter are for a real strap: leave out --simulate.")
    }
  }

  /// The simulated strap, its first event at `started`.
  func simulated(started: WallTime, duration: Duration?) -> PacedSource<SimulatedStrap, ContinuousClock> {
    PacedSource(
      SimulatedStrap(seed: seed ?? 1, startWall: started, duration: duration),
      pace: speed?.pace ?? .times(1))
  }
}
