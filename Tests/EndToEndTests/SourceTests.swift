import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct SourceTests {
  /// Beats of a person at rest, with time stamps.
  private static func lines(_ count: Int) -> String {
    var time = 0.0
    var random = SeededGenerator(seed: 3)
    return "{\"sensor\":\"Test sensor\"}\n"
      + (0..<count).map { index in
        let rr = 850 + 50 * sin(Double(index) / 2.5) + Double.random(in: -25...25, using: &random)
        time += rr / 1000
        return "{\"rr_ms\":[\(rr)],\"t\":\(time),\"contact\":true}\n"
      }.joined()
  }

  @Test func theReplayOfAFileEqualsTheLiveOutput() throws {
    let home = try Home()
    let (source, path) = (try home.folder.write(Self.lines(150), to: "lines.jsonl"), home.file("out.jsonl"))
    let live = try home.run(
      "live", "--json", "--source", source, "--speed", "max", "--record", path, with: ["TZ": "UTC"])
    #expect(live.status == .exited(0), "\(live.errors)")
    #expect(try live.json().contains { $0["stress"]?.number != nil })
    #expect(try live.json().contains { $0["strap_name"]?.text == "Test sensor" })
    #expect(try home.run("replay", path, "--speed", "max", "--json").output == live.output)
    let session = try #require(try live.json().first?["session"]?.text)
    #expect(
      try home.run("replay", "--session", session, "--speed", "max", "--json").output == live.output)
  }

  @Test func aReadingFromAFileIsStored() throws {
    let home = try Home()
    let source = try home.folder.write(Self.lines(150), to: "lines.jsonl")
    let measure = try home.run("measure", "--json", "--source", source, "--speed", "max")
    #expect(measure.status == .exited(0), "\(measure.errors)")
    #expect(try measure.json().first?["stress"]?.number != nil)
    #expect(try home.run("history", "--json").json().count == 1)
  }

  @Test func standardInputIsMeasuredUntilItsEnd() throws {
    let home = try Home()
    let path = home.file("out.jsonl")
    let record = try home.run(
      "record", path, "--json", "--source", "-", input: "{\"rr_ms\":[801]}\nbad\n{\"hr_bpm\":75}\n")
    #expect(record.status == .exited(0), "\(record.errors)")
    #expect(record.errors.contains("stressmon: standard input: line 2: skipped: not a JSON object"))
    let kinds = try JSONLinesFile(path).lines.compactMap { $0["type"]?.text }
    #expect(kinds == ["header", "link", "link", "notification", "notification", "end"])
  }

  @Test func aFIFOIsMeasuredUntilCtrlC() throws {
    let home = try Home()
    let fifo = home.file("beats")
    #expect(mkfifo(fifo, 0o600) == 0)
    let live = try home.start(["live", "--json", "--source", fifo])
    try live.waitForLine { $0.contains("waiting for lines") }
    let writer = try home.start("/bin/bash", ["-c", "exec 3>\(fifo); echo '{\"rr_ms\":800}' >&3; sleep 100"])
    try live.waitForLine { $0.contains("\"rr_ms\"") }
    live.signal(SIGINT)
    #expect(try live.outcome().status == .signalled(SIGINT))
    writer.signal(SIGKILL)
  }

  @Test func errorsNameTheRemedy() throws {
    let home = try Home()
    for (arguments, status, message) in [
      (["live", "--source", home.file("none")], 2, "Create a FIFO with: mkfifo"),
      (["live", "--source", "unix:\(home.file("none"))"], 2, "no program accepts connections at unix:"),
      (["live", "--source", home.path], 1, "is a folder"),
      (["live", "--source", "-"], 2, "standard input ended without a line"),
      (["measure", "--source", "-"], 2, "standard input ended without a line"),
      (["measure", "--source", "-", "--every", "15m"], 64, "--every"),
      (["live", "--source", "-", "--simulate"], 64, "--simulate"),
      (["live", "--source", "unix:/x", "--speed", "max"], 64, "--speed applies to a file"),
      (["service", "--source", "-"], 64, "stressmon live --source -"),
    ] as [([String], CInt, String)] {
      let outcome = try home.start(arguments).outcome(input: "")
      #expect(outcome.status == .exited(status), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    for command in ["measure", "morning"] {
      let short = try home.run(command, "--source", "-", input: "{\"rr_ms\":[800]}\n")
      #expect(short.status == .exited(3), "\(command): \(short.errors)")
    }
    let unusable = try home.run("live", "--source", "-", input: "RR 800\n")
    #expect(unusable.status == .exited(3) && unusable.errors.contains("has no usable line; line 1: "))
  }
}
