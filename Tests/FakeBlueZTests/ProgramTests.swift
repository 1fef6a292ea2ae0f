import Glibc
import TestSupport
import Testing

@Test func aProgramReceivesInputAndReturnsOutputAndStatus() throws {
  let program = try Program(
    "/bin/sh", ["-c", "read x; echo got $x; echo $WORD >&2; printf end; exit 3"],
    environment: ["WORD": "talk"])
  try program.type("it\n")
  #expect(try program.waitForLine { $0.hasPrefix("got") } == "got it")
  #expect(try program.waitForExit() == .exited(3))
  #expect(program.outputLines == ["got it", "end"])
  #expect(program.errorLines == ["talk"])
}

@Test func signalsAndTimeoutsAreReported() throws {
  let program = try Program("/bin/sh", ["-c", "echo ready; exec sleep 60"])
  try program.waitForLine { $0 == "ready" }
  #expect(throws: Program.Failure.self) { try program.waitForExit(seconds: 0.05) }
  #expect(throws: Program.Failure.self) { try program.waitForLine(seconds: 0.05) { $0 == "never" } }
  program.signal(SIGTERM)
  #expect(try program.waitForExit() == .signalled(SIGTERM))
}

@Test func aClosedReaderIsABrokenPipe() throws {
  let program = try Program("/bin/sh", ["-c", "read x; echo $x; exit 0"])
  program.closeReader(of: .output)
  try program.type("it\n")
  #expect(try program.waitForExit() != .exited(0))
}

@Test func outputLargerThanAPipeBufferIsCollected() throws {
  let program = try Program("/bin/sh", ["-c", "yes 0123456789 | head -n 40000"])
  #expect(try program.waitForExit() == .exited(0))
  #expect(program.outputLines.count == 40_000)
}

@Test func aMissingProgramIsAnError() {
  #expect(throws: SystemCallError.self) { try Program("/nowhere/at-all") }
}

@Test func aTemporaryFolderIsRemovedWithItsContents() throws {
  var path = ""
  do {
    let folder = try TemporaryFolder()
    path = folder.path
    try folder.write("text", to: "file")
    mkdir(folder.file("inner"), 0o700)
    try folder.write("text", to: "inner/file")
    symlink("/etc", folder.file("link"))
    #expect(access(path, F_OK) == 0)
  }
  #expect(access(path, F_OK) != 0)
  #expect(access("/etc/passwd", F_OK) == 0)
}
