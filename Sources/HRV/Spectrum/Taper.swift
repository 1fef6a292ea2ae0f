import RealModule

/// The weight of the samples of a window, by where they are in it.
public enum Taper: String, Sendable, CaseIterable {
  /// All weigh the same.
  case none
  case hann
  case hamming

  /// The weight at `position`, 0 at the beginning of the window and 1 at its end.
  func weight(at position: Double) -> Double {
    switch self {
    case .none: 1
    case .hann: 0.5 - 0.5 * Double.cos(2 * .pi * position)
    case .hamming: 0.54 - 0.46 * Double.cos(2 * .pi * position)
    }
  }
}
