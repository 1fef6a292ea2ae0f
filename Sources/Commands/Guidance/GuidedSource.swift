import HeartRate

/// A source with the marks of an exercise between its events. It ends when the exercise is over.
struct GuidedSource<Base: HeartRateSource>: HeartRateSource {
  let base: Base
  let guide: Guide

  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    try await base.withEvents { try await body(Events(base: $0, guide: guide)) }
  }

  struct Events: AsyncSequence {
    typealias Element = SessionEvent
    fileprivate let base: Base.Events
    fileprivate let guide: Guide

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), guide: guide) }
  }

  struct Iterator: AsyncIteratorProtocol {
    private var base: Base.Events.AsyncIterator
    private let guide: Guide
    /// What comes next, the first one last.
    private var pending: [SessionEvent] = []
    private var isOver = false

    fileprivate init(base: Base.Events.AsyncIterator, guide: Guide) {
      self.base = base
      self.guide = guide
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> SessionEvent? {
      if let event = pending.popLast() { return event }
      guard !isOver, let event = try await base.next(isolation: actor) else { return nil }
      let (marks, isOver) = guide.take(event)
      self.isOver = isOver
      pending = [event] + marks.reversed()
      return pending.popLast()
    }
  }
}
