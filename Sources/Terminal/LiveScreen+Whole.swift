import HRV
import HeartRate
import Stress
import Words

/// The live view where there is room for all of it: the figure beside the number, the beats as a chart, the last minutes.
extension LiveScreen {
  private static let leastWidth = 60
  private static let leastHeight = 17
  private static let chartRows = 3...8

  /// Nil where there is too little room: for the whole width, or for the figure beside the notices.
  func wholeLines(
    _ text: LiveText, profile: String, notices: [String], width: Int, height: Int
  ) -> [String]? {
    guard width >= Self.leastWidth, height - notices.count >= Self.leastHeight else { return nil }
    let figure = figure(text, width: width)
    let notes = notices.map { style.bold($0.printable) } + [text.linkNotice.map(style.bold)].compactMap { $0 }
    let trend = trend(text, width: width)
    let last = [style.dim(style.words("Baseline \(baseline)"))] + (footer.map { [style.dim($0)] } ?? [])
    // The header, the numbers and the tally; empty lines where there is room, the chart where there is more.
    let needed = 3 + figure.count + trend.count + notes.count + last.count
    let spare = height - 1 - needed
    let blank = spare >= 8 ? [""] : []
    let rows = min(spare - 4 * blank.count - 1, Self.chartRows.upperBound)
    let chart =
      rows < Self.chartRows.lowerBound
      ? [] : RRChart(text.state.recentBeats, rows: rows - 1, width: width, unicode: style.unicode).lines
    var lines = [heading(text, profile: profile)] + blank + figure + blank + [heart(text, width: width)]
    if !chart.isEmpty { lines += blank + [style.dim(style.words("RR in ms, the last beats"))] + chart }
    lines += trend + blank + [text.tally] + notes + last
    return lines.map { $0.clipped(to: width, unicode: style.unicode) }
  }

  /// The face with the number, the gauge, the confidence, and what the face says.
  private func figure(_ text: LiveText, width: Int) -> [String] {
    let score = text.state.measurement?.score
    let mood = score.map { BuddyMood(score: $0.value) }
    let face = BuddyFigure(text.state.isStale ? nil : mood, unicode: style.unicode).lines
    let room = width - BuddyFigure.width - 2
    var words = ["", stressLabel(text)]
    if let score, text.state.isStale {
      words.append(style.dim(bar(score, cells: min(50, room - 2))))
    } else if let score {
      words.append(bar(score, cells: min(50, room - 2)))
    }
    words.append(confidence(text))
    if let mood, !text.state.isStale { words.append(style.dim(style.words(mood.spoken))) }
    return face.enumerated().map { row, line in
      let drawn = score.map { style.coloured(line, $0.category) } ?? line
      return row < words.count && !words[row].isEmpty ? drawn + "  " + words[row] : drawn
    }
  }

  /// Stress and RMSSD of the last five minutes side by side, once there is more than a point.
  private func trend(_ text: LiveText, width: Int) -> [String] {
    let points = text.state.trend
    guard points.count > 1 else { return [] }
    let cells = max(1, (width - 30) / 2)
    let (stress, rmssd) = (points.map(\.stress), points.map(\.rmssd))
    return [
      "5 min  \(style.words("stress \(blocks(stress, cells: cells, in: 0...100))"))  "
        + "RMSSD \(blocks(rmssd, cells: cells, in: nil))"
    ]
  }

  /// The values as blocks; their own range where none is given.
  private func blocks(_ values: [Double?], cells: Int, in range: ClosedRange<Double>?) -> String {
    let known = values.compactMap { $0 }
    let low = range?.lowerBound ?? known.min() ?? 0
    let high = range?.upperBound ?? known.max() ?? 1
    let blocks: [Character] = style.unicode ? Array("▁▂▃▄▅▆▇█") : Array("_.-=^")
    return String(
      values.suffix(cells).map { value -> Character in
        guard let value else { return " " }
        let share = high > low ? (value - low) / (high - low) : 0
        return blocks[Int((min(1, max(0, share)) * Double(blocks.count - 1)).rounded())]
      })
  }
}
