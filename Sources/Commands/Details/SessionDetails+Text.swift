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
  /// The result of the session in words, its course, and what happened.
  /// - Parameter width: columns of the terminal, if lines are limited.
  func text(_ means: SessionMeans, width: Int?, style: TerminalStyle) -> String {
    lines(
      [
        summary(means, style),
        exercises.flatMap { ExerciseText(exercise: $0, style: style).lines(hasDetails: false) },
        nights.flatMap { $0.lines(style, trend: nil, hasDetails: false, width: width) },
        curves(hasDetails: false, width: width, style: style),
        table(hasDetails: false, width: width, style: style), events(hasDetails: false, style),
        [
          style.localized(
            "Data and statistics: \("stressmon show \(session.info.id.text.prefix(10)) --details")")
        ],
      ], width, style)
  }

  /// Everything that is known of the session: its source and its beats, the baseline, and each change of the link.
  func details(width: Int?, style: TerminalStyle) -> String {
    lines(
      [
        heading(style), facts(style),
        exercises.flatMap { ExerciseText(exercise: $0, style: style).lines(hasDetails: true) },
        nights.flatMap { $0.lines(style, trend: nil, hasDetails: true, width: width) },
        curves(hasDetails: true, width: width, style: style),
        table(hasDetails: true, width: width, style: style), events(hasDetails: true, style),
      ], width, style)
  }

  private func lines(_ parts: [[String]], _ width: Int?, _ style: TerminalStyle) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: [""]).map { line in
      (width.map { line.clipped(to: $0, unicode: style.unicode) } ?? line) + "\n"
    }.joined()
  }

  private func summary(_ means: SessionMeans, _ style: TerminalStyle) -> [String] {
    let info = session.info
    let (start, length) = (
      String(LocalZone.text(info.started).prefix(16)), clockText(seconds: session.length.seconds)
    )
    let day = Phrase.date(start)
    let plain = Phrase("\(day), \(length) long")
    let title = info.source == .simulated ? Phrase("\(plain) (simulated)") : plain
    var lines = [
      style.localized(title),
      style.localized(means.sentence(length: session.length.seconds)),
    ]
    if let rmssd = means.rmssd?.fixed(0), let rate = means.heartRate?.fixed(0) {
      lines.append(style.localized(.averages(hrv: rmssd, heartRate: rate)))
    }
    return lines
  }

  private func heading(_ style: TerminalStyle) -> [String] {
    let info = session.info
    let (metric, window) = (info.metric, info.settings.window.shortText)
    let baseline = info.baseline.summary(info.settings.metric)
    let (start, length) = (LocalZone.text(info.started), clockText(seconds: session.length.seconds))
    return [
      style.localized("Session \(info.id.text) of '\(info.profile.printable)'"),
      style.localized("\(start), \(length) long, \(session.end)"),
      style.localized("\(metric) over \(window) against \(baseline)"),
    ]
  }

  private func facts(_ style: TerminalStyle) -> [String] {
    let notes = undecodable > 0 ? Phrase("\(notifications), \(undecodable) not decodable") : nil
    var rows: [(Phrase, Phrase)] = [
      (Phrase("source"), source),
      (Phrase("notifications"), notes ?? Phrase(untranslated: String(notifications))),
      (Phrase("sensor"), sensorClass?.word ?? Phrase("not known")), (Phrase("beats"), judged),
    ]
    rows += provisional.map { [(Phrase("provisional"), $0)] } ?? []
    let lost = gaps.isEmpty ? nil : Phrase("\(gaps.count), \(gapSeconds.fixed(1)) s in all")
    rows += [
      (Phrase("gaps"), lost ?? Phrase(untranslated: String(0))),
      (Phrase("measurements"), Phrase("\(session.measurements) stored")),
    ]
    if let first = battery.first, let last = battery.last {
      let single = Phrase("\(first.percent) %")
      rows.append(
        (Phrase("battery"), battery.count > 1 ? Phrase("\(first.percent) % to \(last.percent) %") : single))
    }
    return MeasurementDetails.aligned(rows.map { (style.localized($0.0), style.localized($0.1)) }, gap: 2)
  }

  /// The source, the strap and the imported file. An imported file can omit the strap.
  private var source: Phrase {
    let separator = ", "
    var parts = [session.info.source.name]
    if let strap = session.strap {
      parts.append(Phrase(untranslated: strap.description.printable))
    } else if session.info.source != .imported {
      parts.append(Phrase("none found"))
    }
    if let file = session.file { parts.append(Phrase("file \(file.printable)")) }
    return Phrase(joining: parts, separator: separator)
  }

  private var judged: Phrase {
    guard let fraction = artefactFraction(finalVerdicts) else { return Phrase(untranslated: String(beats)) }
    return Phrase("\(beats), artefacts \((fraction * 100).fixed(2)) %\(finalVerdicts.artefactCounts)")
  }

  /// The provisional verdicts, if they differ from the final ones.
  private var provisional: Phrase? {
    guard provisionalVerdicts != finalVerdicts, let fraction = artefactFraction(provisionalVerdicts) else {
      return nil
    }
    let percent = (fraction * 100).fixed(2)
    return Phrase("artefacts \(percent) %\(provisionalVerdicts.artefactCounts), as judged live")
  }

  // MARK: - Series

  private static let longest = 60

  private func curves(hasDetails: Bool, width: Int?, style: TerminalStyle) -> [String] {
    let room = min(Self.longest, max(10, (width ?? 80) - 32))
    // The minimum span of each curve, because smaller variations at rest are noise.
    var series: [(String, String, Double, KeyPath<Minute, Double?>)] = [
      (hasDetails ? MetricDefinition.rmssd.name : style.localized("HRV"), " ms", 20, \.rmssd),
      (style.localized("HR"), " " + style.localized("bpm"), 10, \.heartRate),
      (style.localized("stress"), "", 25, \.stress),
    ]
    if hasDetails { series.insert((MetricDefinition.sdnn.name, " ms", 20, \.sdnn), at: 1) }
    return series.compactMap { name, unit, leastSpan, key in
      let values = everyMinute(key)
      let known = values.compactMap(\.self)
      guard let low = known.min(), let high = known.max(), values.count > 1 else { return nil }
      let line = sparkline(values, leastSpan: leastSpan, width: room, unicode: style.unicode)
      return
        "  \(name.padded(to: 6))  \(line)  \(style.localized("\(low.fixed(0)) to \(high.fixed(0))"))\(unit)"
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
  private func table(hasDetails: Bool, width: Int?, style: TerminalStyle) -> [String] {
    guard let (first, last) = span else { return [] }
    let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440]
    let step = steps.first { (last - first) / $0 < 20 } ?? (last - first) / 20 + 1
    let everyday: [(text: String, alignment: TextTable.Alignment)] = [
      (style.localized("at"), .right), (style.localized("time"), .left), (style.localized("stress"), .right),
      (style.localized("category"), .left), (style.localized("HR bpm"), .right),
      (hasDetails ? MetricDefinition.rmssd.heading : style.localized("HRV ms"), .right),
    ]
    let statistics: [(text: String, alignment: TextTable.Alignment)] =
      hasDetails ? [(MetricDefinition.sdnn.heading, .right), (style.localized("confidence"), .right)] : []
    var table = TextTable(everyday + statistics)
    for (place, minute) in minutes.enumerated() {
      let next = place + 1 < minutes.count ? minutes[place + 1].number / step : nil
      guard next != minute.number / step else { continue }
      let row = [
        clockText(seconds: minute.at.seconds),
        String(LocalCalendar.system.clockText(session.info.started.advanced(ticks: minute.at.ticks))),
        minute.statedStress.map { StressValueText.text($0, minute.range?.bounds) } ?? "-",
        minute.suspension.map { style.localized($0.word) }
          ?? minute.category.map { "\($0.icon(unicode: style.unicode)) \(style.lowercasedWord($0))" } ?? "-",
        TextTable.number(minute.heartRate, 0), TextTable.number(minute.rmssd, hasDetails ? 1 : 0),
      ]
      table.append(
        row + (hasDetails ? [TextTable.number(minute.sdnn, 1), TextTable.number(minute.confidence, 2)] : []))
    }
    return table.lines(
      style, width: width,
      expendable: [
        style.localized("time"), MetricDefinition.sdnn.heading, style.localized("confidence"),
        style.localized("HR bpm"),
      ])
  }

  // MARK: - Events

  private func sessionTime(of time: WallTime) -> SessionTime {
    let microseconds = Int128(time.microseconds) - Int128(session.info.started.microseconds)
    return SessionTime(ticks: Int64(clamping: microseconds * 80))
  }

  /// Changes of the link, gaps, marks and journal entries by time. A session begins with a search and a connection, which only
  /// the details contain.
  private func events(hasDetails: Bool, _ style: TerminalStyle) -> [String] {
    let told =
      hasDetails ? links : links.drop { !$0.change.state.hasLiveData }.filter { !$0.change.state.hasLiveData }
    var lines = told.map { link in
      let state = style.localized("link \(link.change.state.word)")
      return (link.at, state + (link.change.reason.map { ": \($0)" } ?? ""))
    }
    lines += gaps.map {
      ($0.start, style.localized("gap of \($0.seconds.fixed(1)) s (\($0.cause.word))"))
    }
    lines += marks.map { ($0.at, style.localized("mark: \($0.text)")) }
    lines += journal.map { entry in
      (sessionTime(of: entry.time), entry.summary(style))
    }
    return lines.sorted { $0.0 < $1.0 }.map { at, words in
      "  \(clockText(seconds: at.seconds).aligned(to: 8))  \(words.printable)"
    }
  }
}

extension SessionInfo {
  fileprivate var metric: String { settings.metric.definition.name }
}
