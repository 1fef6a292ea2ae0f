import HeartRate
package import History
package import Localization
package import Stress

extension StoredMorning: FieldRecord {
  package static let fields: [Field<StoredMorning>] = [
    ("session", { .text($0.session.text) }),
    ("profile", { .text($0.profile) }),
    ("time", { .text($0.time.rfc3339) }),
    ("day", { .text(TrendPeriod.date(Int64($0.day))) }),
    ("posture", { .text($0.posture.rawValue) }),
    ("standing_part", { .truth($0.isStandingPart) }),
    ("duration_s", { .number($0.seconds) }),
    ("beats", { .integer(Int64($0.normalBeats)) }),
    (MetricDefinition.rmssd.key, { .number($0.rmssd) }),
    (MetricDefinition.lnRMSSD.key, { .number($0.lnRMSSD) }),
    (MetricDefinition.sdnn.key, { .number($0.sdnn) }),
    (MetricDefinition.meanHeartRate.key, { .number($0.heartRate) }),
    (MetricDefinition.artefacts.key, { .number($0.artefactFraction.map { $0 * 100 }) }),
    (MetricDefinition.confidence.key, { .number($0.confidence) }),
    ("counted", { .truth($0.counts) }),
    ("refusal", { .text($0.refusal?.rawValue) }),
    ("simulated", { .truth($0.isSimulated) }),
  ]
}

extension NormalRange {
  /// `36-53`, in ms.
  package var text: String { "\(rmssd.lowerBound.fixed(0))-\(rmssd.upperBound.fixed(0))" }

  /// `below your normal 36-53 since 10 Nov 2026`. The day is omitted within the range, and if it is not earlier than `today`.
  /// - Parameters:
  ///   - value: RMSSD in ms.
  ///   - today: in days since 1970-01-01.
  package func phrase(_ value: Double, today: Int) -> Phrase {
    let position = position(value)
    guard position != .within, let since = since(position), since < today else { return phrase(position) }
    return Phrase("\(phrase(position)) since \(Phrase.date(TrendPeriod.date(Int64(since))))")
  }

  /// `within your normal 36-53` of a morning, `within your normal 36-53 at rest` of a minute.
  package func phrase(_ position: Position) -> Phrase {
    switch (source, position) {
    case (.mornings, .below): Phrase("below your normal \(text)")
    case (.mornings, .within): Phrase("within your normal \(text)")
    case (.mornings, .above): Phrase("above your normal \(text)")
    case (.nights, .below): Phrase("below your normal \(text) at night")
    case (.nights, .within): Phrase("within your normal \(text) at night")
    case (.nights, .above): Phrase("above your normal \(text) at night")
    case (.restingDays, .below): Phrase("below your normal \(text) at rest")
    case (.restingDays, .within): Phrase("within your normal \(text) at rest")
    case (.restingDays, .above): Phrase("above your normal \(text) at rest")
    }
  }

  /// `from 28 mornings`.
  package var origin: Phrase {
    switch source {
    case .mornings: Phrase("from \(count) morning", "from \(count) mornings", count: count)
    case .nights: Phrase("from \(count) night", "from \(count) nights", count: count)
    case .restingDays: Phrase("from \(count) day with rest", "from \(count) days with rest", count: count)
    }
  }
}
