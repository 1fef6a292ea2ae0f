import HeartRate
import Simulator

/// Who goes along with a session, puts marks into it, and may lead the breath of the person.
///
/// Used from the thread of the events, and from those of the keys and of the display.
protocol MarkSource: AnyObject, Sendable {
  /// Whether the whole session is an exercise: a simulated person then sits still instead of living a day.
  var leadsWholeSession: Bool { get }

  /// Takes what comes next in the session; gives the marks that come before it, and whether the session is over after it.
  func take(_ event: SessionEvent) -> (marks: [SessionEvent], isOver: Bool)

  /// The marks that still wait when nothing more comes.
  func remainingMarks() -> [SessionEvent]

  /// Hands on the marks that the next event did not take along in time, until it is cancelled.
  func deliverLateMarks(_ body: @Sendable (SessionEvent) -> Void) async

  /// How a simulated person breathes at a time; nil where that is not led.
  func breath(at time: SessionTime) -> Sitting.Breath?
}

extension MarkSource {
  func deliverLateMarks(_ body: @Sendable (SessionEvent) -> Void) async {}
}

/// A source with the marks of an attendant between its events.
struct AttendedSource<Base: HeartRateSource>: HeartRateSource {
  let base: Base
  let attendant: any MarkSource

  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    try await base.withEvents { try await body(Events(base: $0, attendant: attendant)) }
  }

  struct Events: AsyncSequence {
    typealias Element = SessionEvent
    fileprivate let base: Base.Events
    fileprivate let attendant: any MarkSource

    func makeAsyncIterator() -> Iterator {
      Iterator(base: base.makeAsyncIterator(), attendant: attendant)
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    private var base: Base.Events.AsyncIterator
    private let attendant: any MarkSource
    /// What comes next, the first one last.
    private var pending: [SessionEvent] = []
    /// How the events of the base ended.
    private var end: Result<Void, any Error>?

    fileprivate init(base: Base.Events.AsyncIterator, attendant: any MarkSource) {
      self.base = base
      self.attendant = attendant
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> SessionEvent? {
      if let event = pending.popLast() { return event }
      if let end {
        try end.get()
        return nil
      }
      do {
        if let event = try await base.next(isolation: actor) { return insertMarks(before: event) }
        finish(.success(()))
      } catch {
        // Also where the session is cancelled: what was marked belongs to it.
        finish(.failure(error))
      }
      return try await next(isolation: actor)
    }

    private mutating func insertMarks(before event: SessionEvent) -> SessionEvent? {
      let (marks, isOver) = attendant.take(event)
      if isOver { end = .success(()) }
      pending = [event] + marks.reversed()
      return pending.popLast()
    }

    private mutating func finish(_ end: Result<Void, any Error>) {
      self.end = end
      pending = attendant.remainingMarks().reversed()
    }
  }
}
