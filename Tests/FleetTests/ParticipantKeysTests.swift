import Glibc
import HeartRate
import History
import Platform
import TestSupport
import Testing

@testable import Fleet

/// The file of the keys of the participants.
struct ParticipantKeysTests {
  private let folder: TemporaryFolder
  private let file: ParticipantKeyFile
  private let rest = FleetCode("rest")!
  private let sleep = FleetCode("sleep")!
  private let p01 = FleetCode("P01")!
  private let p02 = FleetCode("P02")!

  init() throws {
    folder = try TemporaryFolder()
    file = ParticipantKeyFile(path: folder.file("participants.keys"))
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try #require(try ByteSource(path: folder.file(name)).readAll(limit: 1 << 20))
  }

  private func text() throws -> String { try String(decoding: bytes("participants.keys"), as: UTF8.self) }

  @Test func admitsOnce() throws {
    let ticket = try file.admit(p01, to: rest)
    #expect(try file.admit(p01, to: rest) == ticket)
    #expect(try file.admit(p01, to: sleep).pseudonym != ticket.pseudonym)
    #expect(try file.admit(p02, to: rest).pseudonym != ticket.pseudonym)
    #expect(try file.storedCodes(of: p01, in: rest) == [ticket.pseudonym, p01])
    #expect(try file.storedCodes(of: ticket.pseudonym, in: rest) == [ticket.pseudonym, p01])
    #expect(try file.storedCodes(of: ticket.pseudonym, in: sleep) == [ticket.pseudonym])
    #expect(try file.storedCodes(of: FleetCode("P03")!, in: rest).count == 1)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func forgetDestroysTheKey() throws {
    let ticket = try file.admit(p01, to: rest)
    _ = try file.admit(p02, to: rest)
    let lines = try text().split(separator: "\n")
    // A hard link keeps the old file readable after it is replaced.
    let backup = folder.file("blocks")
    #expect(link(file.path, backup) == 0)
    try file.forget(p01, of: rest)
    #expect(try text() == "\(lines[1])\n")
    #expect(try bytes("blocks").allSatisfy { $0 == 0 } && !bytes("blocks").isEmpty)
    #expect(try file.storedCodes(of: p01, in: rest) == [p01])
    #expect(Set(Folder.names(in: folder.path)) == ["blocks", "participants.keys"])
    // Another person with the same code gets another pseudonym and key.
    #expect(try file.admit(p01, to: rest) != ticket)
  }

  /// A crash after the new file took its name, and one before.
  @Test func interruptedErasureIsFinished() throws {
    _ = try file.admit(p01, to: rest)
    let old = try bytes("participants.keys")
    try file.forget(p01, of: rest)
    let path = try folder.write(String(decoding: old, as: UTF8.self), to: "participants.keys.old")
    #expect(link(path, folder.file("blocks")) == 0)
    try file.finishErasure()
    #expect(access(path, F_OK) != 0)
    #expect(try bytes("blocks").allSatisfy { $0 == 0 })

    let ticket = try file.admit(p02, to: rest)
    #expect(link(file.path, path) == 0)
    try file.finishErasure()
    #expect(access(path, F_OK) != 0)
    #expect(try file.admit(p02, to: rest) == ticket)
  }

  @Test func rejectsFilesOfOthersAndDamagedLines() throws {
    _ = try file.admit(p01, to: rest)
    chmod(file.path, 0o640)
    var error = #expect(throws: FleetError.self) { try file.admit(p02, to: rest) }
    #expect(error?.code == .usage && error?.description.contains("chmod 600") == true)
    chmod(file.path, 0o600)
    let damaged = try text().dropLast(20)
    let path = try folder.write(String(damaged), to: "damaged.keys")
    chmod(path, 0o600)
    error = #expect(throws: FleetError.self) { try ParticipantKeyFile(path: path).keys(of: rest) }
    #expect(error?.description.contains("line 1") == true)
  }

  @Test func tickets() throws {
    let ticket = try file.admit(p01, to: rest)
    #expect(ticket.text.count == 64 && !ticket.text.contains("="))
    #expect(ParticipantTicket(ticket.text) == ticket)
    #expect(ParticipantTicket(ticket.text.dropLast()) == nil && ParticipantTicket("P01") == nil)
    let participants = try Participants(text: "ann = \(ticket.text) since 2026-11-01", path: "p")
    #expect(participants.byProfile["ann"]?.code == ticket.pseudonym)
    #expect(participants.byProfile["ann"]?.ticket == ticket)
    let error = #expect(throws: FleetError.self) {
      try Participants(text: "ann = \(ticket.text.dropLast(4))", path: "p")
    }
    #expect(error?.description.contains("incomplete or mistyped") == true)
  }

  @Test func aliasesKeepTheDayOnly() throws {
    let (ticket, other) = (try file.admit(p01, to: rest), try file.admit(p02, to: rest))
    var random = SeededGenerator(seed: 1)
    var aliases: Set<SessionID> = []
    for number in 0..<200 {
      let started = WallTime(microseconds: 1_795_000_000_000_000 + Int64(number) * 3_600_000_000)
      let id = SessionID(started: started, using: &random)
      let alias = ticket.alias(of: id)
      #expect(SessionDay.day(of: alias) == SessionDay.day(of: id))
      #expect(alias == ticket.alias(of: id) && alias != other.alias(of: id) && alias != id)
      aliases.insert(alias)
    }
    #expect(aliases.count == 200)
    #expect(ticket.alias(ofStrap: "C0:00:00:00:00:01") != other.alias(ofStrap: "C0:00:00:00:00:01"))
  }
}
