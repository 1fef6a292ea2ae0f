import HRV
import LiveSession
package import Localization
package import Stress

/// The position of RMSSD in the person's normal range, in words.
package struct NormalPosition: Sendable {
  private let words: @Sendable (Double) -> Phrase

  /// - Parameter words: `within your normal 36-53 since 2026-11-10`, for RMSSD in ms.
  package init(_ words: @escaping @Sendable (Double) -> Phrase) { self.words = words }

  /// Nil without a stress value, and during motion and exertion, because the range is that of rest, and in an
  /// irregular rhythm.
  package func phrase(_ measurement: StressMeasurement?) -> Phrase? {
    guard let measurement, measurement.score != nil, measurement.suspension == nil else { return nil }
    return measurement.rmssd.map(words)
  }
}
