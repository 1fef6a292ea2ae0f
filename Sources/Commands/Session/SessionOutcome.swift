/// How a session ended.
struct SessionOutcome: Sendable {
  let end: RunEnd
  let plan: SessionPlan
  /// What failed during the session or at its end, such as storing it; nil if nothing did.
  var failure: CommandFailure?
}
