/// The groups of metrics that an analysis computes.
package enum MetricsSelection: String, CaseIterable, Sendable {
  case time
  case frequency
  case nonlinear
  case longTerm = "long-term"
  case all

  package var includesTime: Bool { self == .time || self == .all }
  package var includesFrequency: Bool { self == .frequency || self == .all }
  package var includesNonlinear: Bool { self == .nonlinear || self == .all }
  package var includesLongTerm: Bool { self == .longTerm || self == .all }

  /// The default for a number of beats: all metrics below 20,000 beats, else the time domain.
  package static func usual(beats: Int) -> MetricsSelection { beats < 20_000 ? .all : .time }
}
