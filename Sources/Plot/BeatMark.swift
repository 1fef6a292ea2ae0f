import HRV

/// The shape and colour of marks for beats that are not normal, by verdict.
struct BeatMark {
  let verdict: Verdict
  let colour: String
  /// SVG path of the shape around the origin, and whether it is filled.
  let shape: String
  let isFilled: Bool

  static let all = [
    BeatMark(verdict: .ectopic, colour: "#b42318", shape: "M0-5L4.5 3.5H-4.5Z", isFilled: true),
    BeatMark(verdict: .missed, colour: "#6d28d9", shape: "M0-5L5 0L0 5L-5 0Z", isFilled: false),
    BeatMark(verdict: .extra, colour: "#0b5c75", shape: "M-4-4L4 4M-4 4L4-4", isFilled: false),
    BeatMark(verdict: .long, colour: "#92400e", shape: "M-4-4H4V4H-4Z", isFilled: true),
    BeatMark(verdict: .short, colour: "#166534", shape: "M0 5L4.5-3.5H-4.5Z", isFilled: false),
  ]

  static func of(_ verdict: Verdict) -> BeatMark? { all.first { $0.verdict == verdict } }

  /// SVG definitions of all marks, referenced by identifier.
  static let definitions = all.reduce(into: SVGCanvas(width: 0, height: 0)) { canvas, mark in
    canvas.element(
      "path",
      "id=\"\(mark.verdict.rawValue)\" d=\"\(mark.shape)\" fill=\"\(mark.isFilled ? mark.colour : Ink.ground)\" "
        + "stroke=\"\(mark.colour)\" stroke-width=\"1.6\"")
  }.body
}

extension SVGCanvas {
  /// Draws the mark of a verdict.
  mutating func mark(_ verdict: Verdict, x: Double, y: Double) {
    element("use", "href=\"#\(verdict.rawValue)\" x=\"\(x.svg)\" y=\"\(y.svg)\"")
  }
}
