public import ArgumentParser
public import Recording

/// How a file of RR intervals is read.
struct FileOptions: ParsableArguments {
  @Option(
    name: .long, help: "The unit of RR text, ms or s (default: s when most numbers are below 10, else ms).")
  var unit: RRText.Unit?

  @Flag(name: .long, help: "Leave out lines of RR text that are no RR interval, and count them.")
  var skipBadLines = false

  /// Opens the file; what is damaged in a recording is told on standard error as it is come to.
  func open(_ path: String) throws(RecordingError) -> SessionFile {
    try SessionFile(path: path, options: RRText.Options(unit: unit, skipsBadLines: skipBadLines))
  }
}

extension RRText.Unit: ExpressibleByArgument {}

/// Tells of damage in a recording, on standard error.
@Sendable func tellDamage(_ damage: RecordingDamage) { say("stressmon: \(damage)") }
