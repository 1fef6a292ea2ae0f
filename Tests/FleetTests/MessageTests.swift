import HeartRate
import History
import SessionData
import Testing

@testable import Fleet

struct MessageTests {
  private let subject = FleetSubject("lab.rest.P01.c00000000001.3")!
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
    #expect(subject.description == "lab.rest.P01.c00000000001")
    let strap = StrapIdentity(address: "C0:00:00:00:00:01")
    #expect(FleetSubject(study: subject.study, participant: subject.participant, strap: strap) == subject)
    #expect(FleetSubject("lab.rest.P01.*") == nil)
    #expect(FleetSubject("lab.rest.P01") == nil)
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
    let receiver = try #require(FleetCode("R1"))
    let message = FleetMessage(session: session, receiver: receiver, .events(events, first: 7))
    #expect(message.id == "\(session)/7-9")
    guard case .events(let received, first: 7) = try decoded(message).content else {
      Issue.record("not the events")
      return
    }
    #expect(received == events)
    #expect(
      FleetMessage(session: session, receiver: receiver, .events([events[0]], first: 7)).id == "\(session)/7")
  }

  @Test func repetitionsHaveOtherIDs() throws {
    let receiver = try #require(FleetCode("R1"))
    var message = FleetMessage(
      session: session, receiver: receiver, .events([SessionEvent(at: .zero, .end)], first: 7))
    message.repetition = 1_790_000_000
    #expect(message.id == "\(session)/7/1790000000")
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
    let receiver = try #require(FleetCode("R1"))
    let event = SessionEvent(at: .init(ticks: 1), .mark("x"))
    var message = FleetMessage(session: session, receiver: receiver, .events([event], first: 7))
    message.deletedFrom = 3
    #expect(try decoded(message, subject: subject).deletedFrom == 3)
    for number in [-1, 7, 8] as [Int64] {
      message.deletedFrom = number
      #expect(throws: FleetMessageError.self) { try decoded(message, subject: subject) }
    }
  }

  @Test func answersOfServers() {
    let outcome = { (text: String) in PublishResult(token: 1, answer: Array(text.utf8)).outcome }
    #expect(outcome(#"{"stream":"lab-rest","seq":1}"#) == .stored(isDuplicate: false))
    #expect(outcome(#"{"stream":"lab-rest","seq":1,"duplicate":true}"#) == .stored(isDuplicate: true))
    #expect(outcome(#"{"stream":"lab-rest","seq":0,"duplicate":true}"#) == .unstoredDuplicate)
    guard case .rejected = outcome(#"{"error":{"code":1,"err_code":1e300}}"#) else {
      Issue.record("not rejected")
      return
    }
  }

  @Test func namesAreNotSent() throws {
    let receiver = try #require(FleetCode("R1"))
    let begin = FleetMessage(session: session, receiver: receiver, .begin(header, SessionProvenance()))
    #expect(!String(decoding: begin.body, as: UTF8.self).contains("Ben"))
    let change = LinkChange(.connected, strap: header.strap, reason: "Ben's strap")
    let link = FleetMessage(
      session: session, receiver: receiver,
      .events([SessionEvent(at: .init(ticks: 1), .link(change))], first: 0))
    #expect(!String(decoding: link.body, as: UTF8.self).contains("Ben"))
  }

  @Test func invalidMessages() throws {
    let receiver = try #require(FleetCode("R1"))
    let begin = FleetMessage(session: session, receiver: receiver, .begin(header, SessionProvenance()))
    #expect(throws: FleetMessageError.invalid("its participant is not P02")) {
      try decoded(begin, subject: FleetSubject("lab.rest.P02.c00000000001"))
    }
    let headers = ["Nats-Msg-Id": "\(session)/0-3", "Stressmon-Receiver": "R1", "Stressmon-Format": "1"]
    #expect(throws: FleetMessageError.invalid("it has 0 events instead of 4")) {
      try FleetMessage(subject, header: { headers[$0] }, body: [])
    }
    #expect(throws: FleetMessageError.newerFormat(2)) {
      try FleetMessage(subject, header: { $0 == "Stressmon-Format" ? "2" : headers[$0] }, body: [])
    }
    for format in ["0", "-1", "x", ""] {
      #expect(throws: FleetMessageError.invalid("its format is '\(format)'")) {
        try FleetMessage(subject, header: { $0 == "Stressmon-Format" ? format : headers[$0] }, body: [])
      }
    }
    for id in [
      "", "x/0", "\(session)/5-4", "\(session)/-1", "\(session)/0-9223372036854775807", "\(session)/1-2-3",
      "\(session)/9223372036854775807", "\(session)/9223372036854775806-9223372036854775807",
    ] {
      #expect(throws: FleetMessageError.self) {
        try FleetMessage(subject, header: { $0 == "Nats-Msg-Id" ? id : headers[$0] }, body: [])
      }
    }
  }
}
