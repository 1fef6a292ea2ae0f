/// Equally spaced frequencies.
public struct FrequencyGrid: Equatable, Sendable {
  /// First frequency in Hz.
  public let first: Double
  /// Number of frequencies per Hz, in seconds. Stored instead of the step, because 12 / 300 equals the band
  /// limit 0.04 exactly, and 12 * (1 / 300) does not.
  public let perHertz: Double
  /// Number of frequencies.
  public let count: Int

  /// Distance between two neighbouring frequencies in Hz.
  public var step: Double { 1 / perHertz }

  /// The frequency at `index` in Hz.
  public subscript(index: Int) -> Double { first + Double(index) / perHertz }
}
