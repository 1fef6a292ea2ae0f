package import Localization
package import Stress

extension NormalRange {
  /// `36-53`, in ms.
  package var text: String { "\(rmssd.lowerBound.fixed(0))-\(rmssd.upperBound.fixed(0))" }

  /// `within your normal 36-53 since 2026-11-10`; without the day if it is not earlier than `today`.
  /// - Parameters:
  ///   - value: RMSSD in ms.
  ///   - today: in days since 1970-01-01.
  package func phrase(_ value: Double, today: Int) -> Phrase {
    let position = position(value)
    guard let since = since(position), since < today else { return phrase(position) }
    return Phrase("\(phrase(position)) since \(TrendPeriod.date(Int64(since)))")
  }

  /// `within your normal 36-53` of a morning, `within your normal 36-53 at rest` of a minute.
  package func phrase(_ position: Position) -> Phrase {
    switch (source, position) {
    case (.mornings, .below): Phrase("below your normal \(text)")
    case (.mornings, .within): Phrase("within your normal \(text)")
    case (.mornings, .above): Phrase("above your normal \(text)")
    case (.restingDays, .below): Phrase("below your normal \(text) at rest")
    case (.restingDays, .within): Phrase("within your normal \(text) at rest")
    case (.restingDays, .above): Phrase("above your normal \(text) at rest")
    }
  }

  /// `from 28 mornings`.
  package var origin: Phrase {
    switch source {
    case .mornings: Phrase("from \(count) morning", "from \(count) mornings", count: count)
    case .restingDays: Phrase("from \(count) day with rest", "from \(count) days with rest", count: count)
    }
  }
}
