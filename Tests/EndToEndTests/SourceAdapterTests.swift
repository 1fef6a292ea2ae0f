import Glibc
import TestSupport
import Testing

/// The scripts of Examples/sources with generated streams: none was tried with hardware.
@Suite(.ownThreads) struct SourceAdapterTests {
  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Examples/sources/"
  private static let captures =
    "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Golden/sources/"

  /// The lines that an adapter prints for its stream.
  private static func lines(_ name: String, _ options: [String] = []) throws -> Outcome {
    try Home().start(
      "/usr/bin/env", ["python3", folder + "\(name).py", "--replay", captures + "\(name).txt"] + options
    )
    .outcome()
  }

  @Test(
    "The lines of each adapter are measured: beat-to-beat intervals with a stress value",
    arguments: [
      ("ant", [String](), 116), ("movesense", [], 119), ("lsl", ["--unit", "s"], 119),
      ("mqtt", ["--rr-key", "interval", "--rate-key", "rate"], 119),
    ])
  func adaptersAreMeasured(_ name: String, _ options: [String], _ notifications: Int) throws {
    let printed = try Self.lines(name, options)
    #expect(printed.status == .exited(0), "\(printed.errors)")
    let home = try Home()
    let path = try home.folder.write(printed.output, to: "lines.jsonl")
    let live = try home.run("live", "--json", "--source", path, "--speed", "max")
    #expect(live.status == .exited(0), "\(live.errors)")
    #expect(!live.errors.contains("skipped"), "\(live.errors)")
    let lines = try live.json()
    let sent = lines.filter { $0["type"]?.text == "notification" && $0["rr_ms"]?.numbers?.isEmpty == false }
    #expect(sent.count == notifications)
    #expect(lines.last { $0["type"]?.text == "measurement" }?["sensor_class"]?.text == "beat-to-beat")
    #expect(lines.contains { $0["stress"]?.number != nil })
  }

  @Test("The beat counter shows missed pages: the interval spans them, and page 4 restores the last beat")
  func missedPagesOfANT() throws {
    let intervals = try Self.lines("ant").json().compactMap { $0["rr_ms"]?.numbers }
    let spanning = intervals.filter { $0.count > 1 }
    #expect(spanning.count == 1 && spanning[0][0] > 2000 && spanning[0][1] < 1000)
    // The sum of all intervals is the time from the first beat to the last.
    let sum = intervals.joined().reduce(0, +)
    #expect(abs(sum - 101_900) < 2500, "\(sum)")
  }

  @Test func messagesThatAreNoBeatsAreSkippedWithAReport() throws {
    let printed = try Self.lines("mqtt")
    #expect(printed.errors.contains("skipped a message: 'hello'"))
  }

  @Test func thePhoneRelayAcceptsLinesWithItsToken() throws {
    let home = try Home()
    let relay = try home.start(
      "/usr/bin/env", ["python3", Self.folder + "phone.py", "--port", "0"],
      with: ["RELAY_TOKEN": "0123456789abcdef"])
    let line = try relay.waitForLine(in: .errors) { $0.contains("listening on port") }
    let url = "http://127.0.0.1:\(line.split(separator: " ").last ?? "")/"
    let post = { (token: String, body: String) throws -> String in
      let script = """
        import sys, urllib.request, urllib.error
        request = urllib.request.Request(sys.argv[1], sys.argv[3].encode(), {"Authorization": "Bearer " + sys.argv[2]})
        try: print(urllib.request.urlopen(request).status)
        except urllib.error.HTTPError as error: print(error.code)
        """
      return try home.start("/usr/bin/env", ["python3", "-c", script, url, token, body]).outcome().output
    }
    #expect(try post("0123456789abcdef", "{\"rr_ms\":[812]}\n{\"contact\":false}") == "204\n")
    #expect(try post("wrong", "{\"rr_ms\":[1]}") == "401\n")
    #expect(try post("0123456789abcdef", "[1]") == "400\n")
    #expect(try post("0123456789abcdef", String(repeating: " ", count: 70_000)) == "413\n")
    try relay.waitForLine { $0.contains("contact") }
    relay.signal(SIGTERM)
    _ = try relay.outcome()
    #expect(
      relay.outputLines == ["{\"sensor\": \"Phone relay\"}", "{\"rr_ms\": [812]}", "{\"contact\": false}"])
  }
}
