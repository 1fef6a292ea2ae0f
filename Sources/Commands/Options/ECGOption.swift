import ArgumentParser
import Localization
import NetworkCommands
import Session

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
