import Glibc
import HeartRate
import TestSupport
import Testing

@testable import History

/// A process that is killed, or whose disk fails.
@Suite(.serialized) struct CrashTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func savedEventsSurviveAKill(seed: UInt64) async throws {
    let history = try TemporaryHistory()
    let path = history.folder + "/h.db"
    var random = SeededGenerator(seed: seed)
    let probe = try Probe("write", path, "1000", "60")
    var saved = -1
    // It prints 100 lines per second: "saved NUMBER of NUMBER".
    for _ in 0..<Int.random(in: 100...250, using: &random) {
      guard let line = probe.line() else { break }
      saved = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? saved
    }
    probe.kill()
    let verdict = try #require(Probe("verify", path).lines().first).split(separator: " ")
    // session open events N whole measurements N bytes N
    #expect(verdict[1] == "open" && verdict[4] == "whole")
    #expect(try #require(Int(verdict[3])) > saved)
    #expect(saved > 0)
    let reader = try #require(try HistoryReader(StoreLocation(path: path, environment: [:])))
    #expect(try reader.integrityFaults() == [])
  }

  @Test(.enabled(if: Probe.canMount, "needs user namespaces"))
  func aSessionIsCompleteAfterADiskWasFull() throws {
    try starve(
      fault:
        "until grep -qs ^saved $D.out; do sleep 0.05; done; head -c 100m /dev/zero > $D/fill 2>/dev/null",
      mend: "rm $D/fill", code: "diskFull")
  }

  @Test(.enabled(if: Probe.canMount, "needs user namespaces"), arguments: [":", "\"$0\" open $D/h.db"])
  func aSessionIsCompleteAfterADiskWasReadOnly(before: String) throws {
    try starve(
      before: "\(before); mount -o remount,ro none $D", fault: ":", mend: "mount -o remount,rw none $D",
      code: "readOnly")
  }

  @Test(.enabled(if: Probe.canMount, "needs user namespaces"))
  func aSessionIsCompleteIfTheDiskWasFullAtItsStart() throws {
    try starve(
      before: "head -c 100m /dev/zero > $D/fill 2>/dev/null", fault: ":", mend: "rm $D/fill", code: "diskFull"
    )
  }

  /// Runs a session of 4 s on a small tmpfs. Executes `fault`, and `mend` once the session reported the fault.
  private func starve(before: String = ":", fault: String, mend: String, code: String) throws {
    let history = try TemporaryHistory()
    let script = """
      D="$1"; mount -t tmpfs -o size=2m none "$D" && \(before)
      "$0" write "$D/h.db" 100 4 > "$D.out" &
      \(fault)
      until grep -qs ^waiting "$D.out" || ! kill -0 $!; do sleep 0.05; done
      \(mend)
      wait $!; written=$?; cat "$D.out"; rm "$D.out"; "$0" verify "$D/h.db" && exit $written
      """
    let lines = try Probe.unshared(script, history.folder).lines()
    #expect(lines.contains { $0.hasPrefix("waiting \(code) ") }, "\(lines)")
    #expect(lines.contains("saving again"))
    #expect(lines.contains("unsaved 0"))
    #expect(lines.last?.hasPrefix("session finished events 400 whole ") == true, "\(lines.last ?? "")")
    #expect(!lines.contains { $0.hasPrefix("fault") })
  }
}
