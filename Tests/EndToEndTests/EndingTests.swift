import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// Every way of ending a session closes and stores it.
@Suite(.ownThreads) struct EndingTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalClosesTheSession(signal: CInt) throws {
    let home = try Home()
    let path = home.file("session.jsonl")
    let program = try home.start(["live", "--json", "--simulate", "--speed", "20", "--record", path])
    try program.wait(for: 30, "measurement")
    program.signal(signal)
    let live = try program.outcome()
    // The process ends by the signal, so a shell reports 130 for Ctrl-C.
    #expect(live.status == .signalled(signal))
    #expect(try live.json().last?["type"]?.text == "end")
    try expectKept(live, home, recording: path)
  }

  @Test func theShellReports130AfterControlC() throws {
    let home = try Home()
    let outcome = try home.shell(
      "\"$stressmon\" live --simulate & sleep 0.5; until [ -s \"$HOME/data/stressmon/stressmon.db\" ]; do sleep 0.1; done; "
        + "sleep 1; kill -INT $!; wait $!; echo $?", with: [:])
    #expect(outcome.lines.last == "130")
  }

  @Test(arguments: ["live --simulate", "measure --simulate", "record b.jsonl --simulate", "replay a.jsonl"])
  func everyWaitingCommandEndsByTheSignal(command: String) throws {
    let home = try Home()
    _ = try home.run("record", home.file("a.jsonl"), "--simulate", "--speed", "max", "--duration", "300")
    let program = try home.start("/bin/bash", ["-c", "cd; exec \(Program.stressmon) \(command)"])
    try program.waitForLine(in: command.hasPrefix("measure") ? .errors : .output) { !$0.isEmpty }
    program.signal(SIGINT)
    #expect(try program.waitForExit() == .signalled(SIGINT))
  }

  @Test func aScanEndsByTheSignal() throws {
    let air = try Air()
    for arguments in [["scan", "--duration", "1m"], ["pair"], ["live", "--plain"]] {
      let program = try air.home.start(arguments)
      let stream: Program.Stream = arguments[0] == "live" ? .output : .errors
      try program.waitForLine(in: stream) { !$0.isEmpty }
      #expect(holds { air.fake.calls.contains { $0.member == "StartDiscovery" } })
      program.signal(SIGINT)
      #expect(try program.waitForExit() == .signalled(SIGINT))
      #expect(!program.standardError.contains("is stored."))
    }
    // A scan that finds no strap is not stored.
    #expect(try air.home.run("history", "--sessions", "--json").lines.isEmpty)
  }

  @Test func aClosedPipeIsNotAFailure() throws {
    let home = try Home()
    let outcome = try home.shell(
      "\"$stressmon\" live --json --simulate --speed 50 --record session.jsonl | head -1; echo ${PIPESTATUS[0]}"
    )
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines.last == "0")
    #expect(outcome.errors.isEmpty)
    let recorded = try home.run("replay", home.file("session.jsonl"), "--speed", "max", "--json")
    #expect(try recorded.json().last?["type"]?.text == "end")
    try expectKept(recorded, home, recording: home.file("session.jsonl"))
  }

  @Test func aClosedPipeIsNotAFailureOfOtherCommands() throws {
    let home = try Home()
    _ = try home.start(["record", home.file("a.jsonl"), "--simulate", "--speed", "max", "--duration", "300"])
      .outcome()
    for command in [
      "replay a.jsonl --speed max --json", "history --limit 1000 --json", "doctor", "config", "--help",
    ] {
      let outcome = try home.shell("\"$stressmon\" \(command) | :; echo ${PIPESTATUS[0]}")
      let status = try #require(outcome.lines.last)
      #expect(status == "0" || (command == "doctor" && status == "2"), "\(command): \(status)")
      #expect(outcome.errors.isEmpty, "\(command): \(outcome.errors)")
    }
  }

  @Test func unreadOutputIsReportedAtTheEnd() throws {
    let air = try Air()
    let strap = air.strap()
    strap.stream(beats(madeUpRR(10_000)), rate: 200)
    let outcome = try givenTime {
      try air.home.shell(
        """
        rm -f ended
        { "$stressmon" live --json --strap \(strap.address) --duration \(4 + $0); echo "status $?" >&2; touch ended; } \
          | until [ -e ended ]; do sleep 0.1; done
        """)
    } until: {
      $0.errors.contains("bytes of it are left out")
    }
    #expect(outcome.errors.contains("the output was not read in time"))
    #expect(outcome.errors.contains("status 1"))
    // The newest session is the last one; earlier attempts can have received less.
    let session = try #require(try air.home.run("history", "--sessions", "--json").json().last)
    #expect(session["outcome"]?.text == "finished")
    let sessions = try air.home.run("history", "--sessions", "--json").output
    #expect((session["events"]?.number ?? 0) > 100, "\(outcome.errors)\n\(sessions)")
  }

  @Test func aFullStandardOutputIsReportedAndTheSessionIsStored() throws {
    let home = try Home()
    let outcome = try home.shell(
      "\"$stressmon\" live --json --simulate --speed 50 --record session.jsonl > /dev/full; echo $?")
    #expect(outcome.lines.last == "1")
    #expect(outcome.errors.contains("cannot write to standard output: No space left on device"))
    let recorded = try home.run("replay", home.file("session.jsonl"), "--speed", "max", "--json")
    #expect(try recorded.json().last?["type"]?.text == "end")
    try expectKept(recorded, home, recording: home.file("session.jsonl"))
  }

  @Test func aSessionRunsWithoutStandardStreams() throws {
    let home = try Home()
    let outcome = try home.shell(
      "\"$stressmon\" live --json --simulate --speed max --duration 40 --record session.jsonl <&- >&- 2>&-; echo $?"
    )
    // Output cannot be written, but all data are recorded.
    let recorded = try home.run("replay", home.file("session.jsonl"), "--speed", "max", "--json")
    #expect(try recorded.json().last?["type"]?.text == "end")
    #expect(outcome.lines.last == "1")
    try expectKept(recorded, home, recording: home.file("session.jsonl"))
  }

  @Test func aSessionRunsWithoutATerminal() throws {
    let home = try Home()
    let outcome = try home.shell(
      "env -i HOME=\"$HOME\" \"$stressmon\" live --simulate --speed max --duration 40 < /dev/null > out; echo $?"
    )
    #expect(outcome.lines.last == "0")
    let shown = try #require(home.contents("out"))
    #expect(shown.contains("RMSSD") && !shown.contains("\u{1B}"))
  }

  @Test("Without HOME a session runs in the home folder of the passwd entry, and --no-store needs none")
  func withoutHome() throws {
    let home = try Home()
    let outcome = try home.shell(
      "env -i \"$stressmon\" live --simulate --speed max --duration 40 --no-store > /dev/null; echo $?")
    #expect(outcome.lines.last == "0", "\(outcome.errors)")
  }

  /// Expects a finished session in the history, and equal bytes from history and recording.
  private func expectKept(_ shown: Outcome, _ home: Home, recording: String) throws {
    let session = try #require(shown.json().first?["session"]?.text)
    let row = try #require(home.run("history", "--sessions", "--json").json().first)
    #expect(row["session"]?.text == session)
    #expect(row["outcome"]?.text == "finished")
    #expect(row["ended"]?.text != nil)
    let stored = try home.run("replay", "--session", session, "--speed", "max", "--json")
    let recorded = try home.run("replay", recording, "--speed", "max", "--json")
    #expect(stored.output == recorded.output)
    #expect(stored.output == shown.output)
    #expect(recorded.errors.isEmpty)
  }
}
