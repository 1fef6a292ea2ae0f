/// A table in Markdown, and numbers as its cells.
package struct MarkdownTable: Sendable {
  /// The table without a final newline.
  package let text: String

  package init(_ header: [String], _ rows: [[String]]) {
    let lines = [header, header.map { _ in "---" }] + rows
    text = lines.map { cells in
      cells.first == "---"
        ? "|" + cells.joined(separator: "|") + "|" : "| " + cells.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }

  /// Returns a number with a fixed number of decimals; a hyphen for a number that is not finite.
  static func fixed(_ value: Double, decimals: Int, signed: Bool = false) -> String {
    guard value.isFinite else { return "-" }
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 && scaled > 0 ? "-" : signed && scaled > 0 ? "+" : ""
    return sign + padded.dropLast(decimals) + (decimals > 0 ? "." : "") + padded.suffix(decimals)
  }

  /// Returns an area under the ROC curve, or a difference of two, with its interval in parentheses.
  static func estimate(_ value: Double, _ interval: ClosedRange<Double>?, signed: Bool = false) -> String {
    let bounds = interval.map {
      " (\(fixed($0.lowerBound, decimals: 2)) to \(fixed($0.upperBound, decimals: 2)))"
    }
    return fixed(value, decimals: 2, signed: signed) + (bounds ?? "")
  }

  /// Returns the median and the quartiles of `values` as whole numbers: `57 (41 to 66)`.
  static func quartiles(_ values: [Double]) -> String {
    let sorted = values.sorted()
    let quartiles = [0.5, 0.25, 0.75].map { fixed(quantile(sorted, $0), decimals: 0) }
    return "\(quartiles[0]) (\(quartiles[1]) to \(quartiles[2]))"
  }

  /// Returns a percentage as a whole number; a hyphen without cases.
  static func percent(_ part: Int, of whole: Int) -> String {
    whole > 0 ? fixed(100 * Double(part) / Double(whole), decimals: 0) : "-"
  }

  /// Returns a quantile by linear interpolation; not a number without values.
  private static func quantile(_ sorted: [Double], _ fraction: Double) -> Double {
    guard !sorted.isEmpty else { return .nan }
    let position = fraction * Double(sorted.count - 1)
    let lower = Int(position)
    let upper = min(lower + 1, sorted.count - 1)
    return sorted[lower] + (position - Double(lower)) * (sorted[upper] - sorted[lower])
  }
}
