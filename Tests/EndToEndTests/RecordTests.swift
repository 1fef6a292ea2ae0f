import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct RecordTests {
  private let quick = ["--simulate", "--speed", "max", "--duration", "40"]

  @Test func anExistingFileIsNotReplaced() throws {
    let home = try Home()
    let path = try home.folder.write("precious\n", to: "morning.jsonl")
    for arguments in [["record", path], ["live", "--record", path]] {
      let record = try home.start(arguments + quick).outcome()
      #expect(record.status == .exited(1))
      #expect(
        record.errors
          == "stressmon: \(path) exists already; choose another name, or add --force to replace it\n")
      #expect(home.contents("morning.jsonl") == "precious\n")
    }
    #expect(!exists(home.database))
  }

  @Test func forceReplacesAnExistingFile() throws {
    let home = try Home()
    let path = try home.folder.write("precious\n", to: "morning.jsonl")
    let record = try home.start(["record", path, "--force"] + quick).outcome()
    #expect(record.status == .exited(0))
    #expect(record.errors.contains("Recorded to \(path). Analyze the file with: stressmon analyze \(path)"))
    let lines = try JSONLinesFile(path).lines
    #expect(lines.first?["type"]?.text == "header")
    #expect(lines.last?["type"]?.text == "end")
    #expect(try home.run("analyze", path).status == .exited(0))
    // Readable by its owner only.
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func aRunThatCannotStartReplacesNoFile() throws {
    let home = try Home()
    let path = try home.folder.write("precious\n", to: "morning.jsonl")
    let first = try home.start(["live", "--json", "--simulate"])
    try first.wait(for: 1, "notification")
    let record = try home.start(["record", path, "--force"] + quick).outcome()
    #expect(record.status == .exited(1))
    #expect(record.errors.contains("profile 'me' is in use"))
    #expect(home.contents("morning.jsonl") == "precious\n")
    let other = try home.start(["record", home.file("new.jsonl")] + quick).outcome()
    #expect(other.status == .exited(1))
    #expect(!exists(home.file("new.jsonl")))
  }

  @Test func anUnwritablePathIsReportedBeforeTheMeasurement() throws {
    let home = try Home()
    for (path, words) in [
      (home.file("nowhere/morning.jsonl"), "no such file or folder"), (home.path, "folder"),
      ("/dev/full", "device"),
      ("/proc/morning.jsonl", "/proc"),
    ] {
      let record = try home.start(["record", path] + quick).outcome()
      #expect(record.status == .exited(1), "\(path)")
      #expect(record.errors.contains(words), "\(record.errors)")
      #expect(record.output.isEmpty)
    }
    #expect(!exists(home.database))
  }

  @Test func aRecordingDoesNotRequireTheHistory() throws {
    let home = try Home()
    let path = home.file("morning.jsonl")
    #expect(try home.start(["record", path, "--no-store"] + quick).outcome().status == .exited(0))
    #expect(try home.run("replay", path, "--speed", "max", "--json").json().last?["type"]?.text == "end")
    #expect(!exists(home.database))
  }
}
