import Glibc
import TestSupport
import Testing

@testable import Fleet

struct EnrolmentTests {
  private let receiver = FleetCode("R1")!

  /// The example of the documentation of nats-server.
  @Test func keysHaveTheTextFormOfNATS() throws {
    let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
    let key = try #require(UserKey(seed: seed))
    #expect(key.seed == seed)
    #expect(key.publicKey == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
    for text in [
      "", "SU", seed.lowercased(), String(seed.dropLast()), seed.replacing("SSL3", with: "SSL4"),
      key.publicKey,
    ] {
      #expect(UserKey(seed: text) == nil, "\(text)")
    }
    #expect(UserKey().seed != UserKey().seed)
  }

  @Test func codesContainWhatTheReceiverNeeds() throws {
    let folder = try TemporaryFolder()
    let authorities = try folder.write("-----BEGIN CERTIFICATE-----\nAA==\n", to: "ca.pem")
    let server = try NatsURL("nats://10.0.0.1,n2:4333,[::1]:1/rest?ca=\(authorities)&credentials=/secret")
    let invitation = try Invitation(to: server, receiver: receiver)
    let received = try Invitation(code: " \(invitation.code.prefix(40))\n\(invitation.code.dropFirst(40))\n")
    #expect(received == invitation)
    #expect(received.url == "tls://10.0.0.1,n2:4333,[::1]:1/rest")
    #expect(received.authorities == "-----BEGIN CERTIFICATE-----\nAA==\n")
    let target = received.target(credentials: "/c", authorities: "/a")
    #expect(target == "tls://10.0.0.1,n2:4333,[::1]:1/rest?receiver=R1&credentials=/c&ca=/a")
    #expect(try NatsURL(target, allowing: ["receiver"]).servers == server.servers)
    let plain = try Invitation(to: NatsURL("nats://n1/rest"), receiver: receiver)
    #expect(plain.url == "nats://n1/rest" && plain.authorities == nil)
  }

  @Test func damagedCodesAreErrors() throws {
    let code = try Invitation(to: NatsURL("nats://n1/rest"), receiver: receiver).code
    var changed = Array(code.utf8)
    changed[20] = changed[20] == 65 ? 66 : 65
    for text in [
      "", "x", "SM1-", "SM1-AAAA", String(code.dropLast(4)), String(decoding: changed, as: UTF8.self),
    ] {
      let error = #expect(throws: FleetError.self) { try Invitation(code: text) }
      #expect(error?.code == .usage, "\(text)")
    }
  }

  @Test func missingCertificates() throws {
    let error = #expect(throws: FleetError.self) {
      try Invitation(to: NatsURL("nats://n1/rest?ca=/nonexistent"), receiver: receiver)
    }
    #expect(error?.description.contains("/nonexistent") == true)
  }

  @Test func otherUsersRemain() throws {
    let folder = try TemporaryFolder()
    let text = try packaged("users.conf")
    let path = try folder.write(text, to: "users.conf")
    chmod(path, 0o640)
    let file = UsersFile(path: path)
    let invitations = try ["R1", "R10"].map { name in
      try Invitation(to: NatsURL("nats://n1/rest"), receiver: #require(FleetCode(name)))
    }
    for invitation in invitations { try file.add(invitation) }
    let error = #expect(throws: FleetError.self) { try file.add(invitations[0]) }
    #expect(error?.description.contains("stressmon collect revoke R1") == true)
    try file.add(Invitation(to: NatsURL("nats://n1/sleep"), receiver: receiver))
    let changed = String(decoding: try contents(of: path), as: UTF8.self)
    for invitation in invitations { #expect(changed.contains(invitation.publicKey)) }
    try file.remove(receiver, study: #require(FleetCode("rest")))
    let rest = String(decoding: try contents(of: path), as: UTF8.self)
    #expect(!rest.contains(invitations[0].publicKey) && rest.contains(invitations[1].publicKey))
    #expect(throws: FleetError.self) { try file.remove(receiver, study: FleetCode("rest")!) }
    try file.remove(invitations[1].receiver, study: #require(FleetCode("rest")))
    try file.remove(receiver, study: #require(FleetCode("sleep")))
    #expect(String(decoding: try contents(of: path), as: UTF8.self) == text)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }
}

/// The content of a file of Packaging/fleet.
private func packaged(_ name: String, file: String = #filePath) throws -> String {
  let root = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  return String(decoding: try contents(of: "\(root)/Packaging/fleet/\(name)"), as: UTF8.self)
}

/// The packaged users and permissions with a real server.
@Suite(.enabled(if: NatsServer.isInstalled, "needs nats-server")) struct InvitedReceiverTests {
  private let server: NatsServer
  private let users: UsersFile

  init() throws {
    server = try NatsServer(
      options: "include nats-users.conf", mapping: "",
      files: [
        "nats-users.conf": packaged("nats-users.conf"),
        "users.conf": packaged("users.conf").replacing("$NATS_COLLECTOR_PASSWORD", with: "secret"),
      ])
    users = UsersFile(path: server.folder.file("users.conf"))
    try connect("collector", role: .collector, "collector\nsecret\n").createStream(StreamLimits())
  }

  private func connect(_ name: String, role: JetStream.Role, _ credentials: String) throws -> JetStream {
    let file = try server.folder.write(credentials, to: "\(name).credentials")
    chmod(file, 0o600)
    return try JetStream(NatsURL("\(server.url)/rest?credentials=\(file)"), role: role, name: "test")
  }

  private func invited(_ name: String) throws -> Invitation {
    let invitation = try Invitation(to: NatsURL("\(server.url)/rest"), receiver: #require(FleetCode(name)))
    try users.add(invitation)
    server.signal(SIGHUP)
    return try Invitation(code: invitation.code)
  }

  /// Connects as soon as the server has read its users.
  private func connect(_ invitation: Invitation) throws -> JetStream {
    try givenTime { seconds in
      usleep(UInt32(seconds) * 100_000)
      return try? connect(
        invitation.receiver.text, role: .receiver(invitation.receiver), invitation.credentials)
    } until: {
      $0 != nil
    }.requireValue()
  }

  private func outcome(_ stream: JetStream, _ receiver: String) throws -> PublishResult.Outcome? {
    let subject = try #require(FleetSubject("lab.rest.\(receiver).P01.none"))
    try stream.publish(subject, headers: [], body: [1], token: 1)
    let deadline = monotonicSeconds() + Program.patience
    while monotonicSeconds() < deadline {
      if let result = try stream.acknowledgements(wait: .milliseconds(100)).first { return result.outcome }
      if let violation = stream.takePermissionViolation() { return .rejected(violation) }
    }
    return nil
  }

  @Test func aReceiverPublishesUnderItsOwnNameUntilItIsRevoked() throws {
    let (first, second) = (try invited("R1"), try invited("R2"))
    let streams = (try connect(first), try connect(second))
    #expect(try outcome(streams.0, "R1") == .stored(isDuplicate: false))
    #expect(try outcome(streams.1, "R2") == .stored(isDuplicate: false))
    guard case .rejected(let error)? = try outcome(streams.0, "R2") else {
      Issue.record("R1 published as R2")
      return
    }
    #expect(error.code == .notPermitted)
    #expect(try streams.0.stream("fleet-rest") != nil)
    _ = try streams.0.resendRequests(to: first.receiver)
    #expect(streams.0.takePermissionViolation() == nil)
    try users.remove(first.receiver, study: first.study)
    server.signal(SIGHUP)
    let isEnded = givenTime { seconds in
      usleep(UInt32(seconds) * 200_000)
      return !streams.0.isConnected
    } until: {
      $0
    }
    #expect(isEnded)
    let refusal = #expect(throws: FleetError.self) {
      try connect("R1", role: .receiver(first.receiver), first.credentials)
    }
    #expect(refusal?.code == .unauthorized)
    #expect(try outcome(streams.1, "R2") == .stored(isDuplicate: false))
    // A new key for the same name.
    #expect(try outcome(connect(invited("R1")), "R1") == .stored(isDuplicate: false))
  }

  private func run(_ arguments: [String], home: TemporaryFolder) throws -> Program {
    let program = try Program(
      Program.besideTheTests("stressmon-net"), arguments,
      environment: ["HOME": home.path, "XDG_RUNTIME_DIR": home.file("run"), "XDG_CONFIG_HOME": nil])
    try program.waitForExit()
    return program
  }

  /// One command on each side; the setting then contains the target, and `publish` needs no other one.
  @Test func invitationAndEnrolment() throws {
    let home = try TemporaryFolder()
    let invite = [
      "collect", "invite", "R1", "--from", "\(server.url)/rest", "--users", server.folder.file("users.conf"),
    ]
    let invited = try run(invite, home: home)
    #expect(invited.status == .exited(0) && invited.outputLines.count == 1, "\(invited.standardError)")
    #expect(invited.standardError.contains("systemctl reload nats-server"))
    #expect(try run(invite, home: home).status == .exited(64))
    // The server has not read the user yet.
    let early = try run(["publish", "enroll", invited.outputLines[0]], home: home)
    #expect(
      early.status == .exited(1) && early.standardError.contains("are stored, but"), "\(early.standardError)")
    server.signal(SIGHUP)
    let enrolled: Program = try givenTime { seconds -> Program in
      usleep(UInt32(seconds) * 100_000)
      return try run(["publish", "enroll", invited.outputLines[0]], home: home)
    } until: { program in
      program.status == .exited(0)
    }
    #expect(enrolled.standardError.contains("enrolled as R1 of the study rest"), "\(enrolled.standardError)")
    var status = stat()
    let credentials = home.file(".config/stressmon/fleet/rest.credentials")
    #expect(stat(credentials, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let target = "\(server.url)/rest?receiver=R1&credentials=\(credentials)"
    let settings = String(
      decoding: try contents(of: home.file(".config/stressmon/config.toml")), as: UTF8.self)
    #expect(settings.contains("publish = \"\(target)\""), "\(settings)")
    let participants = try home.write("ann = P01\n", to: ".config/stressmon/participants")
    chmod(participants, 0o600)
    let published = try run(["publish", "--until-caught-up"], home: home)
    #expect(published.status == .exited(0), "\(published.standardError)")
  }

  @Test(arguments: [
    ["publish", "enroll", "x"], ["collect", "invite", "R 1", "--from", "nats://n1/rest"],
    ["collect", "invite", "R1", "--from", "nats://n1"],
    ["collect", "revoke", "R1", "--from", "nats://n1/rest", "--users", "/dev/null"],
  ])
  func usageErrors(_ arguments: [String]) throws {
    #expect(try run(arguments, home: TemporaryFolder()).status == .exited(64))
  }

  @Test func aDamagedKeyIsAnError() throws {
    let text = try invited("R1").credentials.replacing("\nSU", with: "\nSX")
    let error = #expect(throws: FleetError.self) {
      try connect("R1", role: .receiver(FleetCode("R1")!), text)
    }
    #expect(error?.code == .usage && error?.description.contains("publish enroll") == true)
  }
}

extension Optional {
  fileprivate func requireValue() throws -> Wrapped { try #require(self) }
}
