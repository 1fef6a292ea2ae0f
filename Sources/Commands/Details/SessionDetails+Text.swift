import HRV
import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports
import Stress
import Terminal

extension SessionDetails {
  /// - Parameter width: columns of the terminal, if lines are limited.
  func text(width: Int?, style: TerminalStyle) -> String {
    let parts = [
      heading(style), facts, exercises.flatMap { ExerciseText(exercise: $0).lines },
      curves(width: width, style: style),
      table(width: width, style: style), events,
    ]
    let lines = parts.filter { !$0.isEmpty }.joined(separator: [""])
    return lines.map { line in
      (width.map { line.clipped(to: $0, unicode: style.unicode) } ?? line) + "\n"
    }.joined()
  }

  private func heading(_ style: TerminalStyle) -> [String] {
    let info = session.info
    let (metric, window) = (info.metric, info.settings.window.shortText)
    let baseline = info.baseline.summary(info.settings.metric, style)
    let outcome = session.outcome?.rawValue ?? "not ended"
    return [
      "Session \(info.id.text) of '\(info.profile.printable)'",
      "\(LocalZone.text(info.started)), \(clockText(seconds: session.length.seconds)) long, \(outcome)",
      style.localized("\(metric) over \(window) against \(baseline)"),
    ]
  }

  private var facts: [String] {
    var lines =
      [
        "  source         \(session.info.source.rawValue)\(strap)\(file)",
        "  notifications  \(notifications)" + (undecodable > 0 ? ", \(undecodable) not decodable" : ""),
        "  sensor         \(sensorClass?.rawValue ?? "not known")",
        "  beats          \(beats)\(judged)",
      ] + provisional + [
        "  gaps           \(gaps.count)" + (gaps.isEmpty ? "" : ", \(gapSeconds.fixed(1)) s in all"),
        "  measurements   \(session.measurements) stored",
      ]
    if let first = battery.first, let last = battery.last {
      lines.append("  battery        \(first.percent) %" + (battery.count > 1 ? " to \(last.percent) %" : ""))
    }
    return lines
  }

  /// The strap of the session. An imported file can omit it.
  private var strap: String {
    guard let strap = session.strap else { return session.info.source == .imported ? "" : ", none found" }
    return ", \(strap.description.printable)"
  }

  /// The file from which the session was imported.
  private var file: String { session.file.map { ", file \($0.printable)" } ?? "" }

  private var judged: String {
    guard let fraction = artefactFraction(finalVerdicts) else { return "" }
    return ", artefacts \((fraction * 100).fixed(2)) %\(finalVerdicts.artefactCounts)"
  }

  /// The provisional verdicts, if they differ from the final ones.
  private var provisional: [String] {
    guard provisionalVerdicts != finalVerdicts, let fraction = artefactFraction(provisionalVerdicts) else {
      return []
    }
    return [
      "  provisional    artefacts \((fraction * 100).fixed(2)) %\(provisionalVerdicts.artefactCounts), as judged live"
    ]
  }

  // MARK: - Series

  private static let longest = 60

  private func curves(width: Int?, style: TerminalStyle) -> [String] {
    let room = min(Self.longest, max(10, (width ?? 80) - 32))
    // The minimum span of each curve, because smaller variations at rest are noise.
    let series: [(String, String, Double, KeyPath<Minute, Double?>)] = [
      (MetricDefinition.rmssd.name, " ms", 20, \.rmssd), (MetricDefinition.sdnn.name, " ms", 20, \.sdnn),
      (MetricDefinition.heartRate.name, " bpm", 10, \.heartRate),
      ("stress", "", 25, \.stress),
    ]
    return series.compactMap { name, unit, leastSpan, key in
      let values = everyMinute(key)
      let known = values.compactMap(\.self)
      guard let low = known.min(), let high = known.max(), values.count > 1 else { return nil }
      let line = sparkline(values, leastSpan: leastSpan, width: room, unicode: style.unicode)
      return "  \(name.padded(to: 6))  \(line)  \(low.fixed(0)) to \(high.fixed(0))\(unit)"
    }
  }

  /// The lowest and the highest number of the minutes, which can be unordered in a damaged history.
  private var span: (Int64, Int64)? {
    guard let first = minutes.min(by: { $0.at < $1.at }), let last = minutes.max(by: { $0.at < $1.at }) else {
      return nil
    }
    return (first.number, last.number)
  }

  /// One value per minute of the session, or `nil` in place of a minute that has no measurement.
  private func everyMinute(_ key: KeyPath<Minute, Double?>) -> [Double?] {
    guard let (first, last) = span, last - first < 100_000 else {
      return minutes.map { $0[keyPath: key] }
    }
    var values = [Double?](repeating: nil, count: Int(last - first) + 1)
    for minute in minutes { values[Int(minute.number - first)] = minute[keyPath: key] }
    return values
  }

  /// The last measurement of each step of minutes, at most twenty rows.
  private func table(width: Int?, style: TerminalStyle) -> [String] {
    guard let (first, last) = span else { return [] }
    let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440]
    let step = steps.first { (last - first) / $0 < 20 } ?? (last - first) / 20 + 1
    var table = TextTable([
      ("at", .right), ("time", .left), ("stress", .right), ("category", .left), ("confidence", .right),
      (MetricDefinition.heartRate.heading, .right), (MetricDefinition.rmssd.heading, .right),
      (MetricDefinition.sdnn.heading, .right),
    ])
    for (place, minute) in minutes.enumerated() {
      let next = place + 1 < minutes.count ? minutes[place + 1].number / step : nil
      guard next != minute.number / step else { continue }
      table.append([
        clockText(seconds: minute.at.seconds),
        String(LocalCalendar.system.clockText(session.info.started.advanced(ticks: minute.at.ticks))),
        minute.statedStress.map { StressValueText.text($0, minute.range?.bounds) } ?? "-",
        minute.suspension.map { style.localized($0.word) }
          ?? minute.category.map { "\($0.icon(unicode: style.unicode)) \($0.rawValue)" } ?? "-",
        minute.confidence.fixed(2), minute.heartRate?.fixed(0) ?? "-", minute.rmssd?.fixed(1) ?? "-",
        minute.sdnn?.fixed(1) ?? "-",
      ])
    }
    return table.lines(
      width: width,
      expendable: ["time", MetricDefinition.sdnn.heading, "confidence", MetricDefinition.heartRate.heading])
  }

  // MARK: - Events

  private func sessionTime(of time: WallTime) -> SessionTime {
    let microseconds = Int128(time.microseconds) - Int128(session.info.started.microseconds)
    return SessionTime(ticks: Int64(clamping: microseconds * 80))
  }

  /// Changes of the link, gaps, marks and journal entries by time.
  private var events: [String] {
    var lines = links.map { link in
      (link.at, "link \(link.change.state.rawValue)" + (link.change.reason.map { ": \($0)" } ?? ""))
    }
    lines += gaps.map { ($0.start, "gap of \($0.seconds.fixed(1)) s (\($0.cause.rawValue))") }
    lines += marks.map { ($0.at, "mark: \($0.text)") }
    lines += journal.map { entry in
      (sessionTime(of: entry.time), entry.summary())
    }
    return lines.sorted { $0.0 < $1.0 }.map { at, words in
      "  \(clockText(seconds: at.seconds).aligned(to: 8))  \(words.printable)"
    }
  }
}

extension SessionInfo {
  fileprivate var metric: String { settings.metric.definition.name }
}
