/// Evenly spaced frequencies.
public struct FrequencyGrid: Equatable, Sendable {
  /// First frequency in Hz.
  public let first: Double
  /// Frequencies per Hz: seconds. Kept instead of the step, because 12 / 300 is the 0.04 of a band's edge to the
  /// bit, and 12 * (1 / 300) is not.
  public let perHertz: Double
  /// How many frequencies there are.
  public let count: Int

  /// Distance between two frequencies in Hz.
  public var step: Double { 1 / perHertz }

  /// In Hz.
  public subscript(index: Int) -> Double { first + Double(index) / perHertz }
}
