import TestSupport
import Testing

/// An hour of a session at a thousand times its pace; `make soak` takes a day.
@Suite struct SoakTests {
  @Test func anHourLosesNothingAndLeavesNoMemoryBehind() throws {
    let soak = try Program(Program.besideTheTests("Soak"), ["1"])
    let status = try soak.waitForExit()
    #expect(status == .exited(0), "\(soak.standardOutput)\(soak.standardError)")
    #expect(soak.standardOutput.contains(" notifications sent and stored, "))
    #expect(soak.standardOutput.contains(" measurements, 0 gaps."))
  }
}
