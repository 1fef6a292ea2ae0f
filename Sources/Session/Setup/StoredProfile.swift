import HeartRate
package import History
import Platform
package import Strap
package import Stress

/// What the history contains about a person when a session starts. An unreadable history is reported and does not prevent
/// the session.
package struct StoredProfile: Sendable {
  package let name: String
  /// Where changes are stored, if they are.
  private let store: StoreLocation?
  package let baseline: Baseline
  /// The remembered straps, the most recently used first.
  package let straps: [RememberedStrap]

  /// - Parameter isStored: whether a strap that is used, and a new baseline, are stored.
  package init(_ name: String, location: StoreLocation?, isStored: Bool = true, alerts: SessionAlerts) {
    self.name = name
    store = isStored ? location : nil
    var baseline = Baseline.populationDefault
    var straps: [RememberedStrap] = []
    do {
      if let reader = try location.flatMap({ try HistoryReader($0) }) {
        baseline = try reader.baseline(of: name) ?? .populationDefault
        straps = try reader.rememberedStraps(of: name)
      }
    } catch {
      alerts.report(.store, String(describing: error))
    }
    (self.baseline, self.straps) = (baseline, straps)
  }

  /// Selects the remembered straps; without any, the only strap that responds.
  package var selection: StrapSelection { straps.isEmpty ? .any : .remembered(straps.map(\.strap)) }

  /// Stores the use of a strap, which makes it the default of the profile. Runs in a background task, because the bus thread
  /// must not wait for a disk.
  func remember(_ details: StrapDetails) {
    guard let store else { return }
    let strap = RememberedStrap(details.strap, bodyLocation: details.bodyLocation, lastUsed: SystemClock.wall)
    let name = name
    Task.detached { try? HistoryWriter(store).remember(strap, for: name) }
  }

  /// The rule of the person's prompts. Requires the normal range of five days with rest.
  var promptRule: PromptRule? {
    guard let store, let reader = try? HistoryReader(store),
      let evidence = try? reader.baselineEvidence(of: name, today: LocalZone.today),
      let usual = NormalRange(evidence)?.rmssd
    else { return nil }
    let answers = (try? reader.prompts(of: name, limit: 100))?.compactMap(\.answer) ?? []
    return PromptRule(
      usual: usual, restingHeartRate: evidence.restingHeartRate, margin: PromptLimits.margin(answers))
  }

  /// Updates the baseline with the sessions that have ended. The next session repeats an update that failed.
  func updateBaseline() throws(HistoryError) {
    guard let store else { return }
    try BaselineUpdater(store).learn(name, today: LocalZone.today, at: SystemClock.wall)
  }
}
