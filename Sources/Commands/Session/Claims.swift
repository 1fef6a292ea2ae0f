import HeartRate
import History
import Simulator
import Stress
import Synchronization

/// What this run alone may measure: its profile, and its strap once it is known.
final class Claims: Sendable {
  private let plan: SessionPlan
  private let location: StoreLocation?
  private let held = Mutex<[LiveClaim]>([])

  init(plan: SessionPlan, location: StoreLocation?) {
    self.plan = plan
    self.location = location
  }

  /// - Throws: ``CommandFailure`` that says who has it.
  func claim(_ subject: LiveClaim.Subject) throws(CommandFailure) {
    guard let claim = try lock(subject), claim.isProtected else {
      return say(
        "stressmon: no folder can hold a lock, so nothing keeps a second run from measuring the same")
    }
    held.withLock { $0.append(claim) }
  }

  private func lock(_ subject: LiveClaim.Subject) throws(CommandFailure) -> LiveClaim? {
    guard let location else { return nil }
    do {
      return try LiveClaim(subject, profile: plan.profile, at: location, since: plan.started)
    } catch {
      throw CommandFailure(.failed, "\(error)")
    }
  }
}

/// Claims the strap as soon as it is known which one it is; a second run on the same strap ends there.
struct ClaimSink: SessionSink {
  let claims: Claims
  private var claimed: StrapIdentity?

  init(claims: Claims) { self.claims = claims }

  mutating func take(_ event: SessionEvent) throws {
    guard case .link(let change) = event.kind, let strap = change.strap, strap.address != claimed?.address,
      strap != SimulatedStrap.identity
    else { return }
    claimed = strap
    try claims.claim(.strap(strap))
  }

  mutating func finish() async throws {}
}
