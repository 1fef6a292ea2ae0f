import HRV
import HeartRate
import LiveSession
import Localization
import Stress

/// The live view as a block of lines, redrawn in place. A pure function of state and size.
package struct LiveScreen: Sendable {
  let style: TerminalStyle
  /// The last line: the names of the files that are written. Nil if it is shown elsewhere.
  package var footer: String?
  /// The normal range of RMSSD; nil with too little data.
  let normal: NormalPosition?

  package init(style: TerminalStyle, footer: String?, normal: NormalPosition? = nil) {
    (self.style, self.footer, self.normal) = (style, footer, normal)
  }

  /// The block for a terminal of `width` columns and `height` rows: fewer lines than `height`, none wider than `width`. The
  /// least important lines are omitted first.
  package func lines(
    _ state: LiveState, profile: String, notices: [String] = [], view: LiveView = LiveView(), width: Int,
    height: Int
  ) -> [String] {
    let text = LiveText(state: state, style: style)
    // A question ends with the command that answers it, so it is not clipped.
    let wrap = { (text: String) in text.printable.wrapped(to: width, unicode: style.unicode) }
    guard !style.isSimple else {
      return simpleLines(text, notices.last.map(wrap) ?? [], view, width: width, height: height)
    }
    let notices = notices.flatMap(wrap)
    if let large = largeLines(
      text, profile: profile, notices: notices, view: view, width: width, height: height)
    {
      return large
    }
    let required = [stress(text, width: width), heart(text, width: width)]
    var optional: [(importance: Int, place: Int, line: String)] = [
      (30, 0, heading(text, profile: profile, width: width)),
      (10, 4, tachogram(state, width: width)),
      (40, 5, text.tally),
    ]
    optional += normalLines(text, width: width).map { (45, 2, $0) }
    optional += notices.map { (70, 8, style.bold($0)) }
    if let notice = text.linkNotice { optional.append((60, 7, style.bold(notice))) }
    if let notice = text.batteryNotice { optional.append((55, 7, style.bold(notice))) }
    if let notice = text.pauseNotice { optional.append((80, 7, style.bold(notice))) }
    if let line = keyLine(view, width) { optional.append((20, 10, style.dim(line))) }
    let room = height - 1 - required.count
    // A long text is wrapped only if no other line is omitted for it.
    let last = footer == nil ? 0 : 1
    optional += confidence(text, width: width, rows: max(1, room - optional.count - last)).map { (50, 2, $0) }
    if let footer {
      let wrapped = footer.wrapped(to: width, unicode: style.unicode)
      let fits = optional.count + wrapped.count <= room
      optional += (fits ? wrapped : [footer]).map { (20, 9, style.dim($0)) }
    }
    let kept = optional.sorted { $0.importance > $1.importance }.prefix(max(0, room))
    let all = [(1, required[0]), (3, required[1])] + kept.map { ($0.place, $0.line) }
    return all.sorted { $0.0 < $1.0 }.map { $0.1.clipped(to: width, unicode: style.unicode) }
  }

  /// One value, one sentence and one action: the stress value, the notice, what requires attention or the position in the
  /// normal range, and the key that ends the session.
  private func simpleLines(
    _ text: LiveText, _ notice: [String], _ view: LiveView, width: Int, height: Int
  ) -> [String] {
    let state = text.pauseNotice ?? text.linkNotice ?? text.batteryNotice
    let normal = normalLines(text, width: width)
    let sentence = state.map { [$0] } ?? (normal.isEmpty ? confidence(text, width: width, rows: 1) : normal)
    let keys = view.keys.contains(.quit) ? [style.dim(LiveKey.line([.quit], width: width, style))] : []
    return ([stress(text, width: width)] + (notice.isEmpty ? sentence : notice) + keys)
      .prefix(max(1, height - 1)).map { $0.clipped(to: width, unicode: style.unicode) }
  }

  /// The keys and their actions; nil if no key has an action.
  func keyLine(_ view: LiveView, _ width: Int) -> String? {
    view.keys.isEmpty ? nil : LiveKey.line(view.keys, width: width, style)
  }

  /// Strap, battery, profile and sensor; the least important ones are omitted on a narrow terminal.
  func heading(_ text: LiveText, profile: String, width: Int) -> String {
    let separator = text.isASCII ? " - " : " · "
    let sensor = [text.sensor].compactMap { $0 }
    let choices = [["stressmon", text.strap, profile] + sensor, [text.strap, profile] + sensor]
    let lines = choices.map { $0.joined(separator: separator) }
    return style.dim(
      lines.first { $0.columns <= width } ?? [text.strap, profile].joined(separator: separator))
  }

  func stress(_ text: LiveText, width: Int) -> String {
    let label = stressLabel(text, width: width)
    guard let stress = text.state.measurement?.statedStress else { return label }
    let room = min(40, width - label.columns - 4)
    return room < 10 ? label : "\(label)  \(bar(stress, cells: room))"
  }

  /// `Stress  ♣ 12 (0-31) Relaxed`, with `(not live)` if it is stale; without the range if it does not fit into `width`
  /// columns.
  func stressLabel(_ text: LiveText, width: Int) -> String {
    let label = stressLabel(text, text.stress)
    return label.columns <= width ? label : stressLabel(text, text.stressWithoutRange)
  }

  private func stressLabel(_ text: LiveText, _ value: String?) -> String {
    let label = style.bold(style.localized("Stress")) + "  " + style.bold(value ?? text.absentStress)
    return text.state.measurement != nil && text.state.isStale
      ? "\(label) \(style.localized("(not live)"))" : label
  }

  /// The gauge.
  func bar(_ stress: Double, cells: Int) -> String {
    let (filled, category) = (
      Int((min(100, max(0, stress)) / 100 * Double(cells)).rounded()), StressCategory(score: stress)
    )
    let pattern = String(repeating: category.pattern(unicode: style.unicode), count: filled)
    let rest = String(repeating: style.unicode ? "·" : ".", count: cells - filled)
    return "[\(style.coloured(pattern, category))\(rest)]"
  }

  func heart(_ text: LiveText, width: Int) -> String {
    let isOld = text.state.isStale && text.state.measurement != nil
    let fields = [
      style.bold(text.heartRate)
        + (isOld ? " " + style.localized("(not live)") : ""),
      text.variability, style.localized("Breath \(text.breath)"),
    ]
    var line = fields[0]
    for field in fields.dropFirst() where line.columns + 4 + field.columns <= width { line += "    " + field }
    let whole = line + text.breathReliability
    return line.hasSuffix(fields[2]) && whole.columns <= width ? whole : line
  }

  /// `HRV below your normal 36-53 since 10 Nov 2026`; empty without a live value at rest and without a normal range. DFA alpha1
  /// during movement and exertion.
  func normalLines(_ text: LiveText, width: Int) -> [String] {
    let position = text.state.isStale ? nil : normal?.phrase(text.state.measurement)
    let line = text.alpha ?? position.map { style.localized("HRV \(style.localized($0))") }
    return line?.wrapped(to: width, unicode: style.unicode) ?? []
  }

  /// `Confidence high (92 %)` with the main reason for a lower one, in lines of `width` columns. Without the reason if it does
  /// not fit into `rows` lines.
  func confidence(_ text: LiveText, width: Int, rows: Int) -> [String] {
    guard let measurement = text.state.measurement, measurement.stress != nil else {
      return [style.localized("Confidence") + " -"]
    }
    let lines = text.confidence(of: measurement).wrapped(to: width, unicode: style.unicode)
    guard lines.count > rows else { return lines }
    return [style.localized("Confidence \(style.confidenceLevel(measurement.confidence ?? 0))")]
  }

  /// The last beats as blocks; beats that are not normal as `x`.
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

/// The settings of the live screen, changed by keys. They do not affect what is measured or stored.
package struct LiveView: Equatable, Sendable {
  /// The time that the trend covers.
  package enum Span: Equatable, Sendable {
    case fiveMinutes
    case minute

    package var seconds: Int { self == .minute ? 60 : LiveState.trendSeconds }
    package var words: String { self == .minute ? "60 s" : "5 min" }
    package var other: Span { self == .minute ? .fiveMinutes : .minute }

    /// Maximum number of columns, so that no column is empty only because it lies between two beats.
    var maximumColumns: Int { self == .minute ? 30 : 90 }
  }

  package var span = Span.fiveMinutes
  /// The keys with an action.
  package var keys: [LiveKey] = []

  package init(keys: [LiveKey] = []) { self.keys = keys }
}
