import Glibc
import TestSupport
import Testing

@testable import Fleet

/// The errors of a real server.
@Suite(.enabled(if: NatsServer.isInstalled, "needs nats-server")) struct JetStreamErrorTests {
  private let subject = FleetSubject("lab.rest.R1.P01.c00000000001")!

  private func outcome(_ stream: JetStream, _ subject: FleetSubject? = nil, size: Int = 1) throws
    -> PublishResult.Outcome?
  {
    try stream.publish(
      subject ?? self.subject, headers: [], body: [UInt8](repeating: 0, count: size), token: 1)
    let deadline = monotonicSeconds() + Program.patience
    while monotonicSeconds() < deadline {
      if let result = try stream.acknowledgements(wait: .milliseconds(100)).first { return result.outcome }
      if let violation = stream.takePermissionViolation() { return .rejected(violation) }
    }
    return nil
  }

  private func code(_ outcome: PublishResult.Outcome?) -> FleetError.Code? {
    guard case .rejected(let error) = outcome else { return nil }
    return error.code
  }

  @Test func noServer() throws {
    let error = #expect(throws: FleetError.self) {
      try JetStream(
        NatsURL("nats://127.0.0.1:1/rest"), role: .receiver(CollectedSession.receiver), name: "test")
    }
    #expect(error?.code == .unreachable)
    #expect(error?.description.contains("cannot connect to NATS at 127.0.0.1:1") == true)
  }

  @Test func noStream() throws {
    let server = try NatsServer()
    let stream = try JetStream(
      NatsURL("\(server.url)/rest"), role: .receiver(CollectedSession.receiver), name: "test")
    let error = #expect(throws: FleetError.self) { try outcome(stream) }
    #expect(error?.code == .noResponder)
  }

  @Test func noMapping() throws {
    let server = try NatsServer(mapping: "")
    let stream = try JetStream(
      NatsURL("\(server.url)/rest"), role: .receiver(CollectedSession.receiver), name: "test")
    try stream.createStream(StreamLimits())
    let error = #expect(throws: FleetError.self) { try outcome(stream) }
    #expect(error?.description.contains("do not map subjects") == true)
  }

  @Test func anotherStream() throws {
    let server = try NatsServer()
    let other = try JetStream(NatsURL("\(server.url)/rest"), role: .collector, name: "test")
    try other.createStream(StreamLimits())
    var target = try NatsURL("\(server.url)/rest")
    target.study = try #require(FleetCode("sleep"))
    let stream = try JetStream(target, role: .receiver(CollectedSession.receiver), name: "test")
    #expect(code(try outcome(stream)) == .noStream)
  }

  @Test func fullStream() throws {
    let server = try NatsServer()
    let stream = try JetStream(
      NatsURL("\(server.url)/rest"), role: .receiver(CollectedSession.receiver), name: "test")
    try stream.createStream(StreamLimits(age: .seconds(3600), bytes: 200))
    #expect(try stream.stream("fleet-rest")?.limits == StreamLimits(age: .seconds(3600), bytes: 200))
    #expect(try outcome(stream) == .stored(isDuplicate: false))
    #expect(code(try outcome(stream, size: 300)) == .streamFull)
  }

  @Test func permissions() throws {
    let server = try NatsServer(
      options: """
        authorization { users = [
          { user: admin, password: secret }
          { user: receiver, password: secret
            permissions: { publish: ["lab.rest.R1.*.*.*"], subscribe: ["_INBOX.receiver.rest.R1.>", "resend.rest.R1"] } } ] }
        """)
    func connect(
      _ user: String, _ password: String = "secret", as receiver: String = "R1"
    ) throws -> JetStream {
      let file = try server.folder.write("\(user)\n\(password)\n", to: "\(user)-\(password)")
      chmod(file, 0o600)
      return try JetStream(
        NatsURL("\(server.url)/rest?credentials=\(file)"), role: .receiver(FleetCode(receiver)!), name: "test"
      )
    }
    let admin = try connect("admin")
    try admin.createStream(StreamLimits())
    let receiver = try connect("receiver")
    #expect(try outcome(receiver) == .stored(isDuplicate: false))
    for subject in ["lab.sleep.R1.P01.c00000000001", "lab.rest.R2.P01.c00000000001"] {
      #expect(code(try outcome(receiver, FleetSubject(subject))) == .notPermitted)
    }
    // A receiver cannot receive the acknowledgements of another one, nor the requests to it.
    let other = try connect("receiver", as: "R2")
    _ = try other.resendRequests(to: FleetCode("R2")!)
    let violation = givenTime { seconds in
      usleep(UInt32(seconds) * 100_000)
      return other.takePermissionViolation()?.description
    } until: {
      $0 != nil
    }
    #expect(violation?.contains("Permissions Violation") == true)
    #expect(violation?.contains("receiver=R2") == true)
    let wrong = #expect(throws: FleetError.self) { try connect("receiver", "wrong") }
    #expect(wrong?.code == .unauthorized)
    let missing = #expect(throws: FleetError.self) {
      try JetStream(NatsURL("\(server.url)/rest"), role: .receiver(CollectedSession.receiver), name: "test")
    }
    #expect(missing?.code == .unauthorized)
  }
}
