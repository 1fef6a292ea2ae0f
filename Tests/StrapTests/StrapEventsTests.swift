import HeartRate
import Testing

@testable import Strap

@Suite(.timeLimit(.minutes(30))) struct StrapEventsTests {
  private struct Oops: Error {}

  private func event(_ number: Int) -> SessionEvent {
    SessionEvent(at: SessionTime(ticks: Int64(number)), .notification(payload: [UInt8(number & 0xff)]))
  }

  private func rest(of events: StrapEvents) async throws -> [SessionEvent] {
    var all: [SessionEvent] = []
    for try await event in events { all.append(event) }
    return all
  }

  @Test func eventsBeforeTheFirstReadAreDelivered() async throws {
    let queue = StrapEventQueue()
    let sent = (0..<100).map(event)
    sent.forEach(queue.append)
    queue.finish()
    #expect(try await rest(of: StrapEvents(queue: queue)) == sent)
  }

  @Test func aReaderOnAnotherThreadReceivesAllEventsInOrder() async throws {
    let queue = StrapEventQueue()
    let sent = (0..<20_000).map(event)
    let reader = Task { try await rest(of: StrapEvents(queue: queue)) }
    for (number, event) in sent.enumerated() {
      queue.append(event)
      if number.isMultiple(of: 7) { await Task.yield() }
    }
    queue.finish()
    #expect(try await reader.value == sent)
  }

  @Test func anErrorIsThrownOnceAfterAllEvents() async throws {
    let queue = StrapEventQueue()
    queue.append(event(1))
    queue.finish(.failure(Oops()))
    var events = StrapEvents(queue: queue).makeAsyncIterator()
    var came: [SessionEvent?] = []
    var thrown = 0
    for _ in 0..<3 {
      do { came.append(try await events.next()) } catch is Oops { thrown += 1 }
    }
    #expect(came == [event(1), nil])
    #expect(thrown == 1)
  }

  @Test func eventsAfterTheEndAreIgnored() async throws {
    let queue = StrapEventQueue()
    queue.finish()
    queue.append(event(1))
    queue.finish(.failure(Oops()))
    #expect(try await rest(of: StrapEvents(queue: queue)).isEmpty)
  }

  @Test func cancellationEndsAWaitingReader() async throws {
    let queue = StrapEventQueue()
    queue.append(event(1))
    let began = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      var all: [SessionEvent] = []
      for try await event in StrapEvents(queue: queue) {
        all.append(event)
        began.continuation.yield()
      }
      return all
    }
    for await _ in began.stream { break }
    reader.cancel()
    #expect(try await reader.value == [event(1)])
  }

  @Test func aCancelledReaderReceivesTheBufferedEvents() async throws {
    let queue = StrapEventQueue()
    queue.append(event(1))
    let reader = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await rest(of: StrapEvents(queue: queue))
    }
    #expect(try await reader.value == [event(1)])
  }
}
