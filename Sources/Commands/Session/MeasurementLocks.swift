import HeartRate
import History
import Platform
import Simulator
import Stress
import Synchronization
import Terminal

/// What this run alone may measure: its profiles, and its straps once they are known.
final class MeasurementLocks: Sendable {
  private struct Held {
    var subject: MeasurementLock.Subject
    var profile: String
    /// Nil where no folder can hold it.
    var claim: MeasurementLock?
  }

  private let location: StoreLocation?
  private let held = Mutex<[Held]>([])

  init(location: StoreLocation?) { self.location = location }

  /// MeasurementLocks the profile of `plan`, which several sessions of a run may have in common.
  /// - Throws: ``CommandFailure`` that says who has it.
  func claimProfile(_ plan: SessionPlan) throws(CommandFailure) {
    let subject = MeasurementLock.Subject.profile(plan.profile)
    guard holder(of: subject) == nil else { return }
    try claim(subject, plan)
  }

  /// MeasurementLocks `strap` for the session of `plan` alone.
  /// - Throws: ``CommandFailure`` that says who has it.
  func claim(_ strap: StrapIdentity, _ plan: SessionPlan) throws(CommandFailure) {
    let subject = MeasurementLock.Subject.strap(strap)
    if let profile = holder(of: subject) {
      throw CommandFailure(
        .failed, "\(strap) is measured already, for profile '\(profile)': name each strap once.")
    }
    try claim(subject, plan)
  }

  private func claim(_ subject: MeasurementLock.Subject, _ plan: SessionPlan) throws(CommandFailure) {
    let claim = try lock(subject, plan)
    held.withLock { $0.append(Held(subject: subject, profile: plan.profile, claim: claim)) }
    guard claim?.isProtected == true else {
      return printDiagnostic(
        "stressmon: no folder can hold a lock, so nothing keeps a second run from measuring the same")
    }
  }

  /// The profile that it is held for in this run.
  private func holder(of subject: MeasurementLock.Subject) -> String? {
    held.withLock { $0.first { $0.subject.isSame(as: subject) }?.profile }
  }

  private func lock(_ subject: MeasurementLock.Subject, _ plan: SessionPlan) throws(CommandFailure)
    -> MeasurementLock?
  {
    guard let location else { return nil }
    do {
      return try MeasurementLock(subject, profile: plan.profile, at: location, since: SystemClock.wall)
    } catch {
      throw CommandFailure(.failed, "\(error)")
    }
  }
}

extension MeasurementLock.Subject {
  /// A strap is known by its address.
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.profile(let own), .profile(let other)): own == other
    case (.strap(let own), .strap(let other)): own.address == other.address
    default: false
    }
  }
}

/// MeasurementLocks the strap as soon as it is known which one it is; a second run on the same strap ends there.
struct StrapLockSink: SessionSink {
  let claims: MeasurementLocks
  let plan: SessionPlan
  private var claimed: StrapIdentity?

  init(claims: MeasurementLocks, plan: SessionPlan) {
    self.claims = claims
    self.plan = plan
  }

  mutating func take(_ event: SessionEvent) throws {
    guard case .link(let change) = event.kind, let strap = change.strap, strap.address != claimed?.address,
      strap != SimulatedStrap.identity
    else { return }
    claimed = strap
    try claims.claim(strap, plan)
  }

  mutating func finish() async throws {}
}
