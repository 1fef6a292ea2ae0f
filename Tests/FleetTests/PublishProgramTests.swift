import Glibc
import HeartRate
import History
import TestSupport
import Testing

@testable import Fleet

/// The built program with a real server.
@Suite(.enabled(if: NatsServer.isInstalled, "needs nats-server")) struct PublishProgramTests {
  /// Kills the program and restarts the server at random times; the stream then contains the history without gaps.
  @Test(arguments: [1, 2]) func killedAtRandomTimes(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let study = try StudyFixture()
    var sessions: [SessionID] = []
    for number in 1...4 { sessions.append(try await study.store(UInt64(number), events: 20_000).0) }
    var messages: [UInt64] = []
    for round in 0..<6 {
      let program = try study.publish()
      waitForMessages(in: study, after: messages.last ?? 0)
      usleep(UInt32.random(in: 0...200_000, using: &random))
      if round == 2 { try study.server.restart() }
      if round == 4 {
        study.server.pause()
        usleep(UInt32.random(in: 100_000...900_000, using: &random))
        study.server.signal(SIGCONT)
      }
      program.signal(SIGKILL)
      try program.waitForExit()
      messages.append((try? study.collector.stream("fleet-rest"))??.messages ?? 0)
    }
    let last = try study.publish("--until-caught-up")
    #expect(try last.waitForExit() == .exited(0), "\(last.standardError)")
    let content = try study.content()
    try study.expectComplete(content, sessions: sessions)
    // The first kill interrupted the publication.
    #expect((1..<UInt64(content.messages)).contains(messages[0]), "\(messages)")
  }

  /// Waits up to five seconds until the stream contains more messages.
  private func waitForMessages(in study: StudyFixture, after count: UInt64) {
    let deadline = monotonicSeconds() + 5
    while monotonicSeconds() < deadline {
      if let state = try? study.collector.stream("fleet-rest"), state.messages > count { return }
      usleep(5_000)
    }
  }

  @Test func endsAfterASignal() async throws {
    let study = try StudyFixture()
    let (id, _) = try await study.store(1, events: 50)
    let program = try study.publish()
    while try study.collector.stream("fleet-rest")?.messages != 3 { usleep(10_000) }
    program.signal(SIGTERM)
    #expect(try program.waitForExit() == .signalled(SIGTERM))
    // The position was stored: another run publishes nothing.
    #expect(try study.publish("--until-caught-up").waitForExit() == .exited(0))
    #expect(try study.collector.stream("fleet-rest")?.messages == 3)
    try study.expectComplete(try study.content(), sessions: [id])
  }

  @Test func wrongCredentials() async throws {
    let study = try StudyFixture(options: "")
    let secured = try NatsServer(options: "authorization { user: a, password: b }")
    let file = try secured.folder.write("a\nc\n", to: "credentials")
    chmod(file, 0o600)
    let program = try study.publish(
      "\(secured.url)/rest?credentials=\(file)&receiver=R1", "--until-caught-up")
    #expect(try program.waitForExit() == .exited(1))
    #expect(program.standardError.contains("check credentials=FILE"))
  }

  @Test(arguments: [
    ["osc://", "--until-caught-up"], ["nats://127.0.0.1"], ["nats://127.0.0.1/rest?x=1"], ["--from", "-"],
    ["nats://127.0.0.1/rest?credentials=/nonexistent"], ["--profile", "nobody"],
  ])
  func usageErrors(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let participants = try folder.write("ann = P01\n", to: "participants")
    let program = try Program(
      Program.besideTheTests("stressmon-net"),
      ["publish", "nats://127.0.0.1:1/rest", "--participants", participants] + arguments,
      environment: ["HOME": folder.path, "XDG_CONFIG_HOME": nil])
    #expect(try program.waitForExit() == .exited(64), "\(program.standardError)")
  }
}

/// The built program without a server.
struct CollectProgramTests {
  private func collect(_ arguments: String..., home: TemporaryFolder) throws -> (
    status: Program.Status, output: String, errors: String
  ) {
    let program = try Program(
      Program.besideTheTests("stressmon-net"), ["collect"] + arguments,
      environment: ["HOME": home.path, "XDG_CONFIG_HOME": nil])
    let status = try program.waitForExit()
    return (status, program.standardOutput, program.standardError)
  }

  @Test func admitPrintsTheTicket() throws {
    let home = try TemporaryFolder()
    let first = try collect("admit", "P07", "--from", "nats://n1/sleep", home: home)
    #expect(first.status == .exited(0), "\(first.errors)")
    let ticket = try #require(ParticipantTicket(first.output.dropLast()))
    let file = ParticipantKeyFile(path: home.file(".config/stressmon/participants.keys"))
    #expect(try file.storedCodes(of: FleetCode("P07")!, in: FleetCode("sleep")!).first == ticket.pseudonym)
    let named = try collect(
      "admit", "P07", "--from", "nats://n1/sleep", "--keys", home.file("other.keys"), home: home)
    #expect(named.status == .exited(0) && named.output != first.output)
    #expect(try collect("admit", "P07", "--from", "nats://n1/sleep", home: home).output == first.output)
    #expect(try collect("admit", "P 7", "--from", "nats://n1/sleep", home: home).status == .exited(64))
  }

  @Test func errorsContainNoControlCharacters() throws {
    let home = try TemporaryFolder()
    let result = try collect("admit", "P\u{1b}[2J\u{202e}7", "--from", "nats://n1/sleep", home: home)
    #expect(result.status == .exited(64) && result.errors.contains("'P\u{FFFD}[2J\u{FFFD}7'"))
    #expect(!result.errors.contains("\u{1b}") && !result.errors.contains("\u{202e}"))
  }
}
