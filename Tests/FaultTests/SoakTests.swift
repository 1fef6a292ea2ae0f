import TestSupport
import Testing

/// An hour of session time at 1000 times real time; `make soak` runs a day.
@Suite struct SoakTests {
  @Test func anHourLosesNoDataAndLeaksNoMemory() throws {
    let soak = try Program(Program.besideTheTests("Soak"), ["1"])
    let status = try soak.waitForExit()
    #expect(status == .exited(0), "\(soak.standardOutput)\(soak.standardError)")
    #expect(soak.standardOutput.contains(" notifications sent and stored, "))
    #expect(soak.standardOutput.contains(" measurements, 0 gaps."))
  }
}
