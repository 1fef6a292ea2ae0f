import ArgumentParser
import Simulator

/// The activities of a simulated person.
struct ActivityArgument: ExpressibleByArgument {
  let script: MotionScript

  init?(argument: String) {
    guard let script = MotionScript(argument) else { return nil }
    self.script = script
  }

  static var allValueStrings: [String] { SimulatedActivity.allCases.map(\.rawValue) }
}
