import HeartRate
import History
import Localization
import TestSupport
import Testing

@testable import Fleet

final class PublishingScheduleTests {
  private static let second: Int64 = 1_000_000_000
  private let first = SessionID("01KAS0Z3M0ABCDEFGHJKMNPQRS")!
  private let second = SessionID("01KAS0Z3M0ABCDEFGHJKMNPQRT")!
  private var schedule = PublishingSchedule()

  // #expect cannot call a mutating method of a value.
  private func next(at now: Int64) -> PublishingSchedule.Request? { schedule.next(at: now) }
  private func expire(at now: Int64) -> Bool { schedule.expire(at: now) }

  private func history(
    _ id: SessionID, _ stored: Int64, from next: Int64 = 0, hasBegun: Bool = false, hasEnded: Bool = false
  ) -> UnpublishedSession {
    UnpublishedSession(
      position: PublishingPosition(session: id, hasBegun: hasBegun, next: next), profile: "ann", strap: nil,
      stored: stored, hasEnded: hasEnded)
  }

  private func unpublished(_ sessions: UnpublishedSession...) -> Unpublished {
    var result = Unpublished()
    result.sessions = sessions
    result.events = sessions.reduce(0) { $0 + $1.events }
    return result
  }

  /// Sends the next message as it is requested. Returns the token; nil if the schedule requests no message.
  private func send(at now: Int64 = 0) -> (token: UInt64, content: SessionRequest)? {
    guard let request = next(at: now) else { return nil }
    let part: PublishedPart =
      switch request.content {
      case .begin: .begin
      case .events(let first, let limit): .events(first...first + Int64(limit) - 1)
      case .end: .end
      }
    return (schedule.sent(part, of: request.session, at: now), request.content)
  }

  private func acknowledge(_ token: UInt64?) {
    schedule.receive(PublishResult(token: token ?? 0, outcome: .stored(isDuplicate: false)), at: 0)
  }

  private func reject(_ token: UInt64?, at now: Int64) {
    let error = FleetError(.streamFull, Phrase("full"))
    schedule.receive(PublishResult(token: token ?? 0, outcome: .rejected(error)), at: now)
  }

  @Test func aCompleteSession() {
    schedule.update(unpublished(history(first, 300, hasEnded: true)))
    #expect(schedule.behind == 300 && !schedule.isDone)
    let begin = send()
    #expect(begin?.content == .begin)
    // The events follow the acknowledgement of the header.
    #expect(next(at: 0) == nil)
    acknowledge(begin?.token)
    let batches = [send(), send()]
    #expect(batches.map { $0?.content } == [.events(from: 0, limit: 256), .events(from: 256, limit: 44)])
    #expect(next(at: 0) == nil)
    // The position advances over messages without a gap only.
    acknowledge(batches[1]?.token)
    #expect(schedule.newPositions.map(\.next) == [0])
    acknowledge(batches[0]?.token)
    #expect(schedule.newPositions.map(\.next) == [300])
    #expect(schedule.behind == 0 && schedule.delivered == 300 && !schedule.isDone)
    let end = send()
    #expect(end?.content == .end)
    acknowledge(end?.token)
    #expect(
      schedule.newPositions
        == [PublishingPosition(session: first, hasBegun: true, next: 300, isComplete: true)])
    #expect(schedule.isDone)
    schedule.positionsWereStored()
    schedule.update(unpublished())
    #expect(schedule.isDone && schedule.newPositions.isEmpty)
  }

  @Test func liveEventsAreSentOneByOne() {
    schedule.update(unpublished(history(first, 3, hasBegun: true)))
    for number in 0..<3 {
      let sent = send()
      #expect(sent?.content == .events(from: Int64(number), limit: 1))
      acknowledge(sent?.token)
    }
    #expect(send() == nil && schedule.isDone)
    // The history still contains the old position, which is stored later.
    schedule.update(unpublished(history(first, 4, hasBegun: true)))
    #expect(schedule.behind == 1)
    #expect(send()?.content == .events(from: 3, limit: 1))
    schedule.update(unpublished(history(first, 24, hasBegun: true)))
    #expect(send()?.content == .events(from: 4, limit: 20))
  }

  @Test func aFailureRepeatsTheMessagesInOrder() {
    schedule.update(unpublished(history(first, 600, hasBegun: true, hasEnded: true)))
    let sent = [send(), send(), send()]
    acknowledge(sent[2]?.token)
    reject(sent[0]?.token, at: 5 * Self.second)
    // Answers to messages that were given up have no effect.
    acknowledge(sent[1]?.token)
    #expect(schedule.newPositions.isEmpty && schedule.inFlight == 0)
    #expect(next(at: 6 * Self.second - 1) == nil)
    let probe = send(at: 6 * Self.second)
    #expect(probe?.content == .events(from: 0, limit: 256))
    #expect(next(at: 60 * Self.second) == nil)
    reject(probe?.token, at: 6 * Self.second)
    #expect(next(at: 8 * Self.second - 1) == nil)
    let again = send(at: 8 * Self.second)
    acknowledge(again?.token)
    #expect(send(at: 8 * Self.second)?.content == .events(from: 256, limit: 256))
    #expect(schedule.newPositions.map(\.next) == [256])
  }

  @Test func aFailureDoesNotDelayOtherSessions() {
    schedule.update(unpublished(history(first, 1, hasBegun: true), history(second, 1, hasBegun: true)))
    let sent = [send(), send()]
    reject(sent[0]?.token, at: 0)
    acknowledge(sent[1]?.token)
    schedule.update(unpublished(history(first, 2, hasBegun: true), history(second, 2, hasBegun: true)))
    #expect(next(at: 1)?.session == second)
  }

  @Test func aMissingLeaderDelaysAllSessionsWithMessages() {
    schedule.update(unpublished(history(first, 1, hasBegun: true), history(second, 1, hasBegun: true)))
    #expect(send() != nil)
    schedule.failAll(at: 0)
    #expect(schedule.inFlight == 0)
    #expect(next(at: 0)?.session == second)
    #expect(next(at: Self.second)?.session == first)
  }

  @Test func missingAcknowledgements() {
    schedule.update(unpublished(history(first, 1, hasBegun: true)))
    #expect(send() != nil)
    #expect(!expire(at: PublishingSchedule.timeout))
    #expect(expire(at: PublishingSchedule.timeout + 1))
    #expect(schedule.inFlight == 0)
    #expect(send(at: PublishingSchedule.timeout + 2 * Self.second)?.content == .events(from: 0, limit: 1))
  }

  @Test func anInterruptionRepeatsAtOnce() {
    schedule.update(unpublished(history(first, 1, hasBegun: true)))
    #expect(send() != nil)
    schedule.interrupted()
    #expect(send()?.content == .events(from: 0, limit: 1))
  }

  @Test func theWindowIsLimited() {
    schedule.update(
      unpublished(
        history(second, 1, hasBegun: true), history(first, 1_000_000, hasBegun: true, hasEnded: true)))
    #expect(send()?.content == .events(from: 0, limit: 1))
    var count = 0
    while send() != nil { count += 1 }
    #expect(count == PublishingSchedule.backlogWindow - 1)
    // A live event does not wait for the backlog.
    schedule.update(
      unpublished(
        history(second, 2, hasBegun: true), history(first, 1_000_000, hasBegun: true, hasEnded: true)))
    #expect(send()?.content == .events(from: 1, limit: 1))
  }

  @Test func liveSessionsTakeTurns() {
    schedule.update(unpublished(history(first, 9000, hasBegun: true), history(second, 9000, hasBegun: true)))
    let sessions = (0..<4).map { _ in
      let request = next(at: 0)!
      _ = schedule.sent(.events(0...0), of: request.session, at: 0)
      return request.session
    }
    #expect(sessions == [first, second, first, second])
  }

  @Test func deletedEventsAreSkipped() {
    schedule.update(unpublished(history(first, 20, from: 10, hasBegun: true, hasEnded: true)))
    #expect(next(at: 0)?.content == .events(from: 10, limit: 10))
    schedule.skipDeletedEvents(of: first)
    #expect(next(at: 0)?.content == .end)
    #expect(schedule.newPositions.map(\.next) == [20])
  }

  /// Random answers, losses and interruptions: all events are acknowledged in the end, and a position never exceeds what was stored.
  @Test(arguments: 0..<50) func randomFailures(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var stored: [SessionID: Set<Int64>] = [first: [], second: []]
    var lengths: [SessionID: Int64] = [first: 700, second: 5]
    var inFlight: [(token: UInt64, session: SessionID, part: PublishedPart)] = []
    var now: Int64 = 0
    var steps = 0
    while steps < 100_000 {
      steps += 1
      now += Int64.random(in: 0...Self.second, using: &random)
      let isFinal = steps > 300
      if !isFinal { lengths[second]! += 1 }
      schedule.update(
        unpublished(
          history(second, lengths[second]!, hasEnded: isFinal),
          history(first, lengths[first]!, hasEnded: true)))
      while let request = next(at: now) {
        let part: PublishedPart =
          switch request.content {
          case .begin: .begin
          case .end: .end
          case .events(let first, let limit):
            .events(first...first + Int64.random(in: 1...Int64(limit), using: &random) - 1)
          }
        inFlight.append((schedule.sent(part, of: request.session, at: now), request.session, part))
      }
      inFlight.shuffle(using: &random)
      while let (token, session, part) = inFlight.popLast() {
        let chance = isFinal ? 9 : Int.random(in: 0..<10, using: &random)
        if chance == 0 { continue }
        if chance == 1 {
          schedule.receive(
            PublishResult(token: token, outcome: .rejected(FleetError(.jetStream, Phrase("no")))), at: now)
          continue
        }
        if case .events(let range) = part { stored[session]!.formUnion(range) }
        schedule.receive(PublishResult(token: token, outcome: .stored(isDuplicate: false)), at: now)
      }
      if Int.random(in: 0..<20, using: &random) == 0 { schedule.interrupted() }
      _ = schedule.expire(at: now)
      for position in schedule.newPositions {
        #expect((0..<position.next).allSatisfy { stored[position.session]!.contains($0) })
      }
      if isFinal, schedule.isDone { break }
    }
    #expect(schedule.isDone && schedule.behind == 0)
    #expect(stored.allSatisfy { Int64($0.value.count) == lengths[$0.key] })
  }
}
