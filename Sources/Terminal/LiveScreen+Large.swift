import HRV
import HeartRate
import LiveSession
import Localization
import Stress

/// The live view on a large terminal: face, large numbers, RR intervals and trends as charts.
extension LiveScreen {
  private static let minimumWidth = 60
  private static let minimumHeight = 17
  /// Rows of the RR chart without its title.
  private static let chartRows = 2...16
  /// Rows of the trend charts with their titles.
  private static let trendRows = 12

  /// Nil if the terminal is too small for the face beside the notices.
  func largeLines(
    _ text: LiveText, profile: String, notices: [String], view: LiveView, width: Int, height: Int
  ) -> [String]? {
    guard width >= Self.minimumWidth, height - notices.count >= Self.minimumHeight else { return nil }
    let numbers = numbers(text, width: width, height: height)
    let notes =
      notices.map(style.bold)
      + [text.linkNotice, text.batteryNotice, text.pauseNotice].compactMap { $0.map(style.bold) }
    let normal = normalLines(text, width: width)
    let last = [footer, keyLine(view, width)].compactMap { $0.map(style.dim) }
    let hasTrend = text.state.trend.count > 1
    // The header, the metrics and the counts; empty lines and charts only if enough rows remain.
    let needed = 3 + numbers.count + normal.count + (hasTrend ? 1 : 0) + notes.count + last.count
    let spare = height - 1 - needed
    let blank = spare >= 8 ? [""] : []
    let rows = chartRows(spare - 4 * blank.count, hasTrend: hasTrend)
    let chart =
      rows.chart < Self.chartRows.lowerBound
      ? [] : RRChart(text.state.recentBeats, rows: rows.chart, width: width, unicode: style.unicode).lines
    var lines =
      [heading(text, profile: profile, width: width)] + blank + numbers + blank + [heart(text, width: width)]
      + normal
    if !chart.isEmpty { lines += blank + [RRChart.title(style)] + chart }
    let trend = trend(text, view.span, width: width, rows: rows.trend)
    if trend.count > 1 { lines += blank }
    lines += trend + blank + [text.tally] + notes + last
    return lines.map { $0.clipped(to: width, unicode: style.unicode) }
  }

  /// Distributes the spare rows: first to the RR chart; the trends become charts once it has eight rows.
  private func chartRows(_ spare: Int, hasTrend: Bool) -> (chart: Int, trend: Int) {
    // Its title and its row for beats that are not normal.
    let room = spare - 2
    let minimumTrend = Self.minimumTrendRows
    guard hasTrend, room >= 8 + minimumTrend else { return (min(8, room), 1) }
    let trend = min(Self.trendRows, max(minimumTrend, (room - 1) * 2 / 5))
    return (min(Self.chartRows.upperBound, room - trend), trend)
  }

  // MARK: Face and numbers

  /// The face; beside it stress and heart rate in large digits with their labels, and the confidence.
  private func numbers(_ text: LiveText, width: Int, height: Int) -> [String] {
    let isLarge = width >= 110 && height >= 30
    let room = width - BuddyFigure.width - 2
    let confidence = confidence(text, width: room, rows: 3)
    let digits = bigRow(text, isLarge ? .large : .medium, room: room)
    let right = (digits.count < 5 ? [""] : []) + digits + confidence
    let face = face(text)
    let blank = String(repeating: " ", count: BuddyFigure.width)
    return (0..<max(face.count, right.count)).map { row in
      let left = row < face.count ? face[row] : blank
      return row < right.count && !right[row].isEmpty ? left + "  " + right[row] : left
    }
  }

  private func face(_ text: LiveText) -> [String] {
    let score = text.state.isStale ? nil : text.state.measurement?.statedStress
    return BuddyFigure(score.map { BuddyMood(score: $0) }, unicode: style.unicode).lines.map { line in
      score.map { style.coloured(line, StressCategory(score: $0)) } ?? line
    }
  }

  /// Stress in large digits, its label and the gauge; heart rate and, if it fits, RMSSD in large digits. Stale values have
  /// no large digits.
  private func bigRow(_ text: LiveText, _ size: BigNumber.Size, room: Int) -> [String] {
    let isLive = !text.state.isStale && !text.state.hasEnded
    let measurement = isLive ? text.state.measurement : nil
    let stress = measurement?.statedStress.map { stress in
      bigNumber(stress, "", size) { style.coloured($0, StressCategory(score: stress)) }
    }
    let rate =
      isLive
      ? text.state.heartRate.map { bigNumber(Double($0), style.localized("bpm"), size, style.bold) } : nil
    let rmssd = stress == nil ? nil : measurement?.rmssd.map { bigNumber($0, "ms", size, style.dim) }
    var values: [[String]] = []
    var left = room - Self.columns(stress)
    for number in [rate, rmssd].compactMap({ $0 }) where left - Self.columns(number) >= Self.minimumLabelWidth
    {
      values.append(number)
      left -= Self.columns(number)
    }
    let width = min(Self.maximumLabelWidth, left)
    let words = localized(text, width: width).map { $0.padded(to: width) }
    return Self.beside([stress].compactMap { $0 } + [words] + values)
  }

  /// Width in columns of the stress label beside the large digits.
  private static let minimumLabelWidth = 34
  private static let maximumLabelWidth = 56

  /// Three digits, right-aligned, with the unit in the last row; all rows of the same width.
  private func bigNumber(
    _ value: Double, _ unit: String, _ size: BigNumber.Size, _ styled: (String) -> String
  ) -> [String] {
    let width = BigNumber.width(digits: 3, size)
    // A damaged history can contain any number.
    let lines = BigNumber(Int(min(999, max(0, value.rounded()))), size, unicode: style.unicode).lines
    return lines.enumerated().map { row, line in
      let last = row == lines.count - 1 ? unit : ""
      return styled(line.aligned(to: width)) + " " + last.padded(to: unit.columns) + " "
    }
  }

  private static func columns(_ lines: [String]?) -> Int { lines?.first?.columns ?? 0 }

  /// The blocks side by side, each as wide as its first line.
  private static func beside(_ blocks: [[String]]) -> [String] {
    (0..<(blocks.map(\.count).max() ?? 0)).map { row in
      blocks.map { row < $0.count ? $0[row] : String(repeating: " ", count: columns($0)) }.joined()
    }
  }

  /// The stress label, the gauge, and the description of the face.
  private func localized(_ text: LiveText, width: Int) -> [String] {
    var words = [stressLabel(text, width: width)]
    if let stress = text.state.measurement?.statedStress {
      let bar = bar(stress, cells: max(0, min(50, width - 2)))
      words.append(text.state.isStale ? style.dim(bar) : bar)
    }
    if let face = text.face { words.append(style.dim(face)) }
    return words
  }
}
