import HeartRate
import LiveSession

/// Creates a sink when the first notification arrives, and passes the earlier events to it: a scan that finds no strap
/// leaves no session in the history.
struct DeferredSink: FinishingSink {
  private let make: () -> any FinishingSink
  private var sink: (any FinishingSink)?
  private var pending: [SessionUpdate] = []

  init(_ make: @escaping () -> any FinishingSink) { self.make = make }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if sink != nil { return sink?.receive(update) ?? .proceed }
    guard case .event(let event) = update else { return .proceed }
    pending.append(update)
    guard case .notification = event.kind else { return .proceed }
    var made = make()
    for update in pending { _ = made.receive(update) }
    sink = made
    pending = []
    return .proceed
  }

  mutating func finish() async throws { try await sink?.finish() }
}
