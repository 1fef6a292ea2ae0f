import HeartRate
import History
import SessionData
import Testing

@testable import Fleet

struct MessageTests {
  private let subject = FleetSubject("lab.rest.R1.P01.c00000000001.3")!
  private let session = SessionID("01KAS0Z3M0ABCDEFGHJKMNPQRS")!
  private var header: RecordingHeader {
    RecordingHeader(
      session: session.text, profile: "P01", strap: StrapIdentity(address: "C0:00:00:00:00:01", name: "Ben"),
      started: WallTime(microseconds: 1_780_000_000_123_456), zone: "Europe/Berlin", program: "1.0", engine: 3
    )
  }

  private func decoded(_ message: FleetMessage, subject: FleetSubject? = nil) throws -> FleetMessage {
    let headers = Dictionary(uniqueKeysWithValues: message.headers.map { ($0.name, $0.value) })
    return try FleetMessage(subject ?? self.subject, header: { headers[$0] }, body: message.body[...])
  }

  @Test func subjects() {
    #expect(subject.description == "lab.rest.R1.P01.c00000000001")
    let strap = StrapIdentity(address: "C0:00:00:00:00:01")
    #expect(
      FleetSubject(
        study: subject.study, receiver: CollectedSession.receiver, participant: subject.participant,
        strap: strap) == subject)
    for text in [
      "lab.rest.R1.P01.*", "lab.rest.P01.c00000000001", "lab.rest.R1.P01.none.3.4", "x.rest.R1.P01.none",
    ] {
      #expect(FleetSubject(text) == nil, "\(text)")
    }
    #expect(FleetCode("a b") == nil && FleetCode("") == nil && FleetCode("a.b") == nil)
  }

  @Test func eventsKeepEveryBit() throws {
    let events = [
      SessionEvent(
        at: SessionTime(ticks: 123_456_789), wall: WallTime(microseconds: 1_780_000_001_000_001),
        .notification(payload: [16, 60, 0, 4])),
      SessionEvent(at: SessionTime(ticks: 123_456_790), .mark("coffee")),
      SessionEvent(at: SessionTime(ticks: 200_000_000), .end),
    ]
    let message = FleetMessage(session: session, secret: "5e", .events(events, first: 7))
    #expect(message.id == "\(session)/7-9/5e")
    guard case .events(let received, first: 7) = try decoded(message).content else {
      Issue.record("not the events")
      return
    }
    #expect(received == events)
    #expect(
      FleetMessage(session: session, secret: "5e", .events([events[0]], first: 7)).id == "\(session)/7/5e")
  }

  @Test func repetitionsHaveOtherIDs() throws {
    var message = FleetMessage(
      session: session, secret: "5e", .events([SessionEvent(at: .zero, .end)], first: 7))
    message.repetition = 1_790_000_000
    #expect(message.id == "\(session)/7/5e/1790000000")
    #expect(try decoded(message).repetition == 1_790_000_000)
  }

  @Test func resendRequests() throws {
    let request = ResendRequest(
      time: WallTime(microseconds: 1_790_000_000_000_001), entries: [.init(session: session, next: 142)])
    #expect(ResendRequest(request.text) == request)
    for text in ["", "x", "1\n\(session)", "1\n\(session) -1", "1\nx 1", "-1\n"] {
      #expect(ResendRequest(text) == nil, "\(text)")
    }
  }

  @Test func deletedEventsBeforeTheFirstOne() throws {
    let event = SessionEvent(at: .init(ticks: 1), .mark("x"))
    var message = FleetMessage(session: session, secret: "5e", .events([event], first: 7))
    message.deletedFrom = 3
    #expect(try decoded(message, subject: subject).deletedFrom == 3)
    for number in [-1, 7, 8] as [Int64] {
      message.deletedFrom = number
      #expect(throws: FleetMessageError.self) { try decoded(message, subject: subject) }
    }
  }

  @Test func answersOfServers() {
    let outcome = { (text: String) in PublishResult(token: 1, answer: Array(text.utf8)).outcome }
    #expect(outcome(#"{"stream":"fleet-rest","seq":1}"#) == .stored(isDuplicate: false))
    #expect(outcome(#"{"stream":"fleet-rest","seq":1,"duplicate":true}"#) == .stored(isDuplicate: true))
    #expect(outcome(#"{"stream":"fleet-rest","seq":0,"duplicate":true}"#) == .unstoredDuplicate)
    guard case .rejected = outcome(#"{"error":{"code":1,"err_code":1e300}}"#) else {
      Issue.record("not rejected")
      return
    }
  }

  @Test func namesAreNotSent() throws {
    let begin = FleetMessage(session: session, secret: "5e", .begin(header, SessionProvenance()))
    #expect(!String(decoding: begin.body, as: UTF8.self).contains("Ben"))
    let change = LinkChange(.connected, strap: header.strap, reason: "Ben's strap")
    let link = FleetMessage(
      session: session, secret: "5e",
      .events([SessionEvent(at: .init(ticks: 1), .link(change))], first: 0))
    #expect(!String(decoding: link.body, as: UTF8.self).contains("Ben"))
  }

  @Test func invalidMessages() throws {
    let begin = FleetMessage(session: session, secret: "5e", .begin(header, SessionProvenance()))
    #expect(throws: FleetMessageError.invalid("its participant is not P02")) {
      try decoded(begin, subject: FleetSubject("lab.rest.R1.P02.c00000000001"))
    }
    let headers = ["Nats-Msg-Id": "\(session)/0-3/5e", "Stressmon-Format": "2"]
    #expect(throws: FleetMessageError.invalid("it has 0 events instead of 4")) {
      try FleetMessage(subject, header: { headers[$0] }, body: [])
    }
    for id in [
      "", "x/0/5e", "\(session)/0", "\(session)/5-4/5e", "\(session)/-1/5e",
      "\(session)/0-9223372036854775807/5e",
      "\(session)/1-2-3/5e", "\(session)/9223372036854775807/5e", "\(session)/0/", "\(session)/0/5e/x",
      "\(session)/9223372036854775806-9223372036854775807/5e",
    ] {
      #expect(throws: FleetMessageError.self) {
        try FleetMessage(subject, header: { $0 == "Nats-Msg-Id" ? id : headers[$0] }, body: [])
      }
    }
  }

  private func decoding(format: String) throws -> FleetMessage {
    let headers = ["Nats-Msg-Id": "\(session)/0-3/5e", "Stressmon-Format": format]
    return try FleetMessage(subject, header: { headers[$0] }, body: [])
  }

  @Test func formats() {
    #expect(throws: FleetMessageError.newerFormat(4)) { try decoding(format: "4") }
    let error = #expect(throws: FleetMessageError.self) { try decoding(format: "1") }
    #expect(error?.description.contains("update the receiver") == true)
    for format in ["0", "-1", "x", "", "20", "999999", "9223372036854775807"] {
      #expect(throws: FleetMessageError.invalid("its format is '\(format)'")) { try decoding(format: format) }
    }
  }

  @Test func messageIDsAreNotPredictable() throws {
    let (secrets, other) = (MessageSecrets(), MessageSecrets())
    #expect(secrets.secret(of: session) == secrets.secret(of: session))
    #expect(secrets.secret(of: session) != other.secret(of: session))
    #expect(secrets.secret(of: session).count == 16)
  }
}
