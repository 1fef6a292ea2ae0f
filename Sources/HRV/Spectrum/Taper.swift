import RealModule

/// The window function that weights the samples of a window.
public enum Taper: String, Sendable, CaseIterable {
  /// Rectangular: equal weights.
  case none
  case hann
  case hamming

  /// Returns the weight at `position`, from 0 (start of the window) to 1 (end).
  func weight(at position: Double) -> Double {
    switch self {
    case .none: 1
    case .hann: 0.5 - 0.5 * Double.cos(2 * .pi * position)
    case .hamming: 0.54 - 0.46 * Double.cos(2 * .pi * position)
    }
  }
}
