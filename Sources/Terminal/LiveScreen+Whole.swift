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
    _ text: LiveText, profile: String, notices: [String], view: LiveView, width: Int, height: Int
  ) -> [String]? {
    guard width >= Self.leastWidth, height - notices.count >= Self.leastHeight else { return nil }
    let figure = figure(text, width: width)
    let notes =
      notices.map { style.bold($0.printable) }
      + [text.linkNotice, text.pauseNotice].compactMap { $0.map(style.bold) }
    let trend = trend(text, view.span, width: width)
    let last =
      [style.dim(style.words("Baseline \(baseline)"))]
      + [footer, keyLine(view, width)].compactMap { $0.map(style.dim) }
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
      let drawn = text.state.isStale ? line : score.map { style.coloured(line, $0.category) } ?? line
      return row < words.count && !words[row].isEmpty ? drawn + "  " + words[row] : drawn
    }
  }
}
