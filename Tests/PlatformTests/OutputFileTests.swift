import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct OutputFileTests {
  @Test func aFileThatAppearsMeanwhileIsNotReplaced() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.csv")
    let file = try OutputFile(path: path, replacing: false)
    try file.append([65])
    #expect(access(path, F_OK) != 0)
    _ = try scratch.file([66], name: "a.csv")
    #expect(throws: FileError(.exists, path: path)) { try file.finish() }
    #expect(try contents(of: path) == [66])
    let next = try OutputFile(path: scratch.path("b.csv"), replacing: false)
    try next.append([65])
    try next.append([66])
    try next.finish()
    #expect(try contents(of: scratch.path("b.csv")) == [65, 66])
    #expect(throws: FileError(.notRegular, path: "/dev/null")) {
      try OutputFile(path: "/dev/null", replacing: false)
    }
  }

  @Test func aResultIsAtomicPrivateAndReplacesAFileOnlyOnRequest() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.csv")
    let large = [UInt8](repeating: 65, count: 3_000_000)
    try OutputFile(path: path, replacing: false).write(large)
    #expect(try contents(of: path) == large)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(throws: FileError(.exists, path: path)) { try OutputFile(path: path, replacing: false) }
    // A discarded file leaves the existing one unchanged.
    try OutputFile(path: path, replacing: true).discard()
    #expect(try contents(of: path) == large)
    try OutputFile(path: path, replacing: true).write([66])
    #expect(try contents(of: path) == [66])
    try OutputFile(path: scratch.path("b.csv"), replacing: false).discard()
    #expect(access(scratch.path("b.csv"), F_OK) != 0)
    #expect(throws: FileError.self) { try OutputFile(path: scratch.path("none/c"), replacing: false) }
    #expect(throws: FileError(.isDirectory, path: scratch.folder)) {
      try OutputFile(path: scratch.folder, replacing: true)
    }
  }
}
