import HRV
import HeartRate
import Stress

/// The live view as a block of lines that is drawn over itself. State and size in, text out.
public struct LiveScreen: Sendable {
  let style: TerminalStyle
  /// What stress is measured against, in words.
  let baseline: String
  /// What is being recorded, and where; the last line. Nil where it stands elsewhere.
  let footer: String?

  public init(style: TerminalStyle, baseline: String, footer: String?) {
    self.style = style
    self.baseline = baseline
    self.footer = footer
  }

  /// The block for a terminal of `width` columns and `height` rows. What matters less is left out first; no line
  /// is wider than `width`, and there are fewer lines than `height`.
  public func lines(
    _ state: LiveState, profile: String, notices: [String] = [], width: Int, height: Int
  ) -> [String] {
    let text = LiveText(state: state, style: style)
    if let whole = wholeLines(text, profile: profile, notices: notices, width: width, height: height) {
      return whole
    }
    let required = [stress(text, width: width), heart(text, width: width)]
    var optional: [(importance: Int, place: Int, line: String)] = [
      (3, 0, heading(text, profile: profile)),
      (5, 2, confidence(text)),
      (1, 4, tachogram(state, width: width)),
      (4, 5, text.tally),
      (0, 6, style.dim("Baseline " + baseline)),
    ]
    if let footer { optional.append((2, 9, style.dim(footer))) }
    optional += notices.map { (7, 8, style.bold($0.printable)) }
    if let notice = text.linkNotice { optional.append((6, 7, style.bold(notice))) }
    let kept = optional.sorted { $0.importance > $1.importance }.prefix(max(0, height - 1 - required.count))
    let all = [(1, required[0]), (3, required[1])] + kept.map { ($0.place, $0.line) }
    return all.sorted { $0.0 < $1.0 }.map { $0.1.clipped(to: width, unicode: style.unicode) }
  }

  func heading(_ text: LiveText, profile: String) -> String {
    let separator = text.isASCII ? "-" : "·"
    let parts = ["stressmon", text.strap, profile] + [text.sensor].compactMap { $0 }
    return style.dim(parts.joined(separator: " \(separator) "))
  }

  func stress(_ text: LiveText, width: Int) -> String {
    guard let stress = text.stress, let score = text.state.measurement?.score else {
      return "Stress  \(text.absentStress)"
    }
    let stale = text.state.isStale ? " (not live)" : ""
    let label = "Stress  \(stress)\(stale)"
    let room = min(40, width - label.columns - 4)
    return room < 10 ? label : "\(label)  \(bar(score, cells: room))"
  }

  func bar(_ score: StressScore, cells: Int) -> String {
    let filled = Int((score.value / 100 * Double(cells)).rounded())
    let pattern = String(repeating: score.category.pattern(unicode: style.unicode), count: filled)
    let rest = String(repeating: style.unicode ? "·" : ".", count: cells - filled)
    return "[\(style.coloured(pattern, score.category))\(rest)]"
  }

  func heart(_ text: LiveText, width: Int) -> String {
    let nn = text.state.measurement?.nn
    let fields = [
      "HR \(text.heartRate)", "RMSSD \(text.milliseconds(nn?.rmssd))", "SDNN \(text.milliseconds(nn?.sdnn))",
      "pNN50 \(text.percent(nn?.pNN50))",
    ]
    var line = fields[0]
    for field in fields.dropFirst() where line.columns + 4 + field.columns <= width { line += "    " + field }
    return line
  }

  func confidence(_ text: LiveText) -> String {
    guard let confidence = text.state.measurement?.confidence.value else { return "Confidence -" }
    let reasons = text.reasons.isEmpty ? "clean" : text.reasons.joined(separator: ", ")
    return "Confidence \(confidence.fixed(2)): \(reasons)"
  }

  /// The last beats as blocks, those that are not normal as `x`.
  private func tachogram(_ state: LiveState, width: Int) -> String {
    let beats = state.recentBeats.suffix(max(0, width - 4))
    let normal = beats.lazy.filter { $0.verdict.isNormal }.map { $0.rr.ticks }
    guard let low = normal.min(), let high = normal.max() else { return "RR  -" }
    let blocks: [Character] = style.unicode ? Array("▁▂▃▄▅▆▇█") : Array("_.-=^")
    let cells = beats.map { beat -> Character in
      guard beat.verdict.isNormal else { return "x" }
      return blocks[Int((beat.rr.ticks - low) * Int64(blocks.count - 1) / max(1, high - low))]
    }
    return "RR  " + String(cells)
  }
}
