import HRV
package import LiveSession
package import Localization

/// The position of RMSSD in the person's normal range, in words.
package struct NormalPosition: Sendable {
  private let words: @Sendable (Double) -> Phrase

  /// - Parameter words: `within your normal 36-53 since 2026-11-10`, for RMSSD in ms.
  package init(_ words: @escaping @Sendable (Double) -> Phrase) { self.words = words }

  /// Returns `nil` if there is no stress value, in an irregular rhythm, and during motion and exertion, because the range is
  /// that of rest.
  package func phrase(_ measurement: LiveMeasurement?) -> Phrase? {
    guard let measurement, measurement.stress != nil, measurement.suspension == nil else { return nil }
    return measurement.rmssd.map(words)
  }
}
