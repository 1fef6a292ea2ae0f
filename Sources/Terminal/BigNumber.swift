/// A whole number in large digits of 3 by 5 pixels.
struct BigNumber {
  enum Size {
    /// A pixel is a column wide and half a row high: 3 rows; 5 in ASCII.
    case medium
    /// A pixel is two columns wide and a row high: 5 rows.
    case large
  }

  /// Lines of equal width.
  let lines: [String]

  /// - Parameter unicode: Whether block characters may be used; otherwise `#`.
  init(_ value: Int, _ size: Size, unicode: Bool) {
    let digits = String(value).compactMap { Self.font[$0] }
    let rows = (0..<5).map { row in digits.map { $0[row] } }
    let pixel = unicode ? "█" : "#"
    switch size {
    case .medium where unicode:
      lines = stride(from: 0, to: 5, by: 2).map { row in
        Self.halves(rows[row], row + 1 < 5 ? rows[row + 1] : digits.map { _ in 0 })
      }
    case .medium: lines = rows.map { Self.line($0, pixel, gap: " ") }
    case .large: lines = rows.map { Self.line($0, pixel + pixel, gap: "  ") }
    }
  }

  /// Width in columns of a number with `digits` digits.
  static func width(digits: Int, _ size: Size) -> Int {
    size == .large ? 8 * digits - 2 : 4 * digits - 1
  }

  private static func line(_ row: [UInt8], _ pixel: String, gap: String) -> String {
    let empty = String(repeating: " ", count: pixel.count)
    let digits = row.map { pixels($0).map { $0 ? pixel : empty }.joined() }
    return digits.joined(separator: gap)
  }

  /// Two rows of pixels in one row of the terminal.
  private static func halves(_ upper: [UInt8], _ lower: [UInt8]) -> String {
    let digits = zip(upper, lower).map { upper, lower in
      zip(pixels(upper), pixels(lower)).map(half).joined()
    }
    return digits.joined(separator: " ")
  }

  private static func half(_ upper: Bool, _ lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }

  /// The three pixels of a row, left to right.
  private static func pixels(_ bits: UInt8) -> [Bool] { [bits & 4 != 0, bits & 2 != 0, bits & 1 != 0] }

  /// Five rows of three pixels; the highest bit is the left pixel.
  private static let font: [Character: [UInt8]] = [
    "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7],
    "4": [5, 5, 7, 1, 1], "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 1, 1],
    "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
  ]
}
