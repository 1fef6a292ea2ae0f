import HeartRate
import History
import TestSupport
import Testing

@testable import Fleet

/// Encrypted messages, from the receiver to the batch of a collector.
struct MessageCipherTests {
  private let folder: TemporaryFolder
  private let file: ParticipantKeyFile
  private let ticket: ParticipantTicket
  private let session: CollectedSession
  private let opener: MessageOpener

  init() throws {
    folder = try TemporaryFolder()
    file = ParticipantKeyFile(path: folder.file("participants.keys"))
    ticket = try file.admit(FleetCode("P01")!, to: CollectedSession.study)
    session = CollectedSession(ticket.pseudonym.text)
    opener = MessageOpener(file, study: CollectedSession.study)
    try opener.refresh()
  }

  private func sealed(_ messages: [FleetMessage], by sealer: MessageSealer) -> [CollectedMessage] {
    zip(session.collected(messages), messages).map { collected, message in
      let (headers, body) = sealer.seal(message, session.subject)
      var collected = collected
      collected.headers = Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
      collected.body = body
      return collected
    }
  }

  private func batch(_ messages: [CollectedMessage]) -> CollectedBatch {
    CollectedBatch(messages, study: CollectedSession.study, opener: opener)
  }

  @Test func encryptedMessagesEqualPlainOnes() throws {
    let messages = session.messages(size: 40)
    let encrypted = sealed(messages, by: MessageSealer(ticket))
    let (result, plain) = (
      batch(encrypted), CollectedBatch(session.collected(messages), study: CollectedSession.study)
    )
    #expect(result.rejections.isEmpty && result.deferred.isEmpty && result.sessions.count == 1)
    #expect(result.sessions.first?.events == plain.sessions.first?.events)
    #expect(result.sessions.first?.header?.line == plain.sessions.first?.header?.line)
    for message in encrypted {
      let text = String(decoding: message.body, as: UTF8.self)
      #expect(!text.contains(session.id.text) && !text.contains("notification"))
    }
  }

  /// A receiver cannot move a message to another subject or ID, or change its headers.
  @Test(arguments: ["subject", "id", "events", "deleted", "body", "key", "partition"])
  func changedMessagesAreRejected(_ change: String) throws {
    var message = sealed([session.end], by: MessageSealer(ticket))[0]
    switch change {
    case "subject": message.subject = message.subject.replacing(".R1.", with: ".R2.")
    case "id": message.headers["Nats-Msg-Id"]? += "1"
    case "events": message.headers["Stressmon-Events"] = "1"
    case "deleted": message.headers["Stressmon-Deleted-From"] = "0"
    case "body": message.body[message.body.count - 1] ^= 1
    case "key":
      message.headers["Stressmon-Key"] =
        sealed([session.end], by: MessageSealer(ticket))[0].headers["Stressmon-Key"]
    default: message.subject = String(message.subject.dropLast() + "3")
    }
    // nats-server chooses the partition.
    let expected = change == "partition" ? [] : ["changed, or is not encrypted to the key"]
    let reasons = batch([message]).rejections.map(\.reason)
    #expect(reasons.count == expected.count && zip(reasons, expected).allSatisfy { $0.contains($1) })
  }

  @Test func plainMessagesOfParticipantsWithKeysAreRejected() {
    let result = batch(session.collected([session.begin]))
    #expect(result.rejections.first?.reason.contains("it is not encrypted") == true)
    var later = session.collected([session.begin])
    later[0].headers["Stressmon-Format"] = "4"
    #expect(batch(later).deferred == [.init(message: 0, format: 4)])
  }

  /// Another machine has admitted the participant, and the file was not copied yet.
  @Test func messagesWithoutKeyWait() throws {
    let messages = sealed([session.begin], by: MessageSealer(ticket))
    try file.forget(FleetCode("P01")!, of: CollectedSession.study)
    #expect(batch(messages).rejections.isEmpty && batch(messages).sessions.count == 1)
    try opener.refresh()
    let result = batch(messages)
    #expect(result.sessions.isEmpty && result.rejections.isEmpty)
    #expect(result.deferred == [.init(message: 0, format: 3, missingKey: ticket.pseudonym)])
  }

  @Test func hostileKeysAreRejected() {
    let message = sealed([session.begin], by: MessageSealer(ticket))[0]
    // No key, no Base64, too short, and points of low order.
    for key in [
      "", "x", "AAAA", String(repeating: "A", count: 43) + "=",
      "AQ" + String(repeating: "A", count: 41) + "=",
    ] {
      var forged = message
      forged.headers["Stressmon-Key"] = key
      #expect(batch([forged]).rejections.count == 1)
    }
  }
}

/// Messages of erased participants, whose key is gone.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct ErasedKeyTests {
  @Test func lateMessagesAreNotDeferred() throws {
    let (database, folder) = (try QueryStore(), try TemporaryFolder())
    let file = ParticipantKeyFile(path: folder.file("participants.keys"))
    let study = CollectedSession.study
    let ticket = try file.admit(FleetCode("P01")!, to: study)
    let session = CollectedSession(ticket.pseudonym.text)
    let (headers, body) = MessageSealer(ticket).seal(session.begin, session.subject)
    var messages = session.collected([session.begin])
    messages[0].headers = Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
    messages[0].body = body
    try file.forget(FleetCode("P01")!, of: study)
    let opener = MessageOpener(file, study: study)
    try opener.refresh()
    let batch = CollectedBatch(messages, study: study, opener: opener)
    var store = PartitionStore(try database.lease())
    let deferral = "SELECT count(*) FROM partition_lease WHERE deferred_format IS NOT NULL"
    try database.connection.run(
      "INSERT INTO erasure (study, participant, sessions, events) SELECT number, $1, 0, 0 FROM study",
      [.text(ticket.pseudonym.text)])
    let outcome = try store.store(batch, messages, database.connection)
    #expect(outcome.erased == [ticket.pseudonym] && outcome.erasedSessions == 1)
    #expect(try database.connection.run(deferral).integer(0, 0) == 0)
    try database.connection.run("DELETE FROM erasure")
    _ = try store.store(batch, messages, database.connection)
    #expect(try database.connection.run(deferral).integer(0, 0) == 1)
  }
}
