import Breathing
package import HeartRate
package import History
import LiveSession
package import Reports

/// What a session measured as a whole, in addition to its values.
package enum SessionResult: Sendable {
  case exercise(BreathingResult)
  case morning(MorningResult)
  case night(SessionNights)

  /// Adds the result to the history.
  func store(in location: StoreLocation) throws(HistoryError) {
    switch self {
    case .exercise(let result):
      if let stored = result.stored { try HistoryWriter(location).add(stored) }
    case .morning(let result): try HistoryWriter(location).add(result.stored)
    case .night(let result): try HistoryWriter(location).add(result.nights, of: result.session)
    }
  }
}

/// Measures the result of a session at its end, and stores it after the events that it refers to.
struct ResultSink: FinishingSink {
  let member: SessionMember
  let measure: SessionSetup.MeasureResult

  func receive(_: SessionUpdate) -> SinkDecision { .proceed }

  func finish() throws {
    guard let result = measure(member.plan, member.storage.hasSession) else { return }
    do { try member.finish(result) } catch { throw SessionError.resultNotStored(error) }
  }
}

extension BreathingResult.Session {
  /// - Parameter strap: the strap that was found, for a plan without one.
  package init(_ plan: SessionPlan, isStored: Bool, _ strap: StrapIdentity?) {
    self.init(
      id: isStored ? plan.id : nil, profile: plan.profile, started: plan.started,
      sensor: ComparedSide.Sensor(source: plan.source, strap: plan.strap ?? strap), settings: plan.settings,
      baseline: plan.baseline)
  }
}
