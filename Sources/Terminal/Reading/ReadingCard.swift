import HRV
package import LiveSession
package import Localization
package import Stress

/// One measurement as text.
package struct ReadingCard: Sendable {
  private let style: TerminalStyle
  private let normal: NormalPosition?
  private let isSimulated: Bool

  /// - Parameters:
  ///   - normal: The normal range, if there are enough data.
  ///   - isSimulated: Whether it is a measurement of the simulated strap.
  package init(style: TerminalStyle, normal: NormalPosition? = nil, isSimulated: Bool = false) {
    (self.style, self.normal, self.isSimulated) = (style, normal, isSimulated)
  }

  private static let narrowestMargin = 12

  /// The result for a person: the stress value, HRV and whether it is normal, heart rate, confidence, and what to do next.
  /// - Parameters:
  ///   - isStored: Whether other commands can read the measurement.
  ///   - width: Width of the terminal in columns, for wrapping. By default, lines are not wrapped.
  package func lines(_ measurement: LiveMeasurement, isStored: Bool, width: Int? = nil) -> [String] {
    guard !style.isSimple else { return simple(measurement, isStored: isStored, width: width) }
    let rows: [Row?] = [
      (style.localized("Stress"), stress(measurement)),
      measurement.sensorClass?.warning.map { ("", style.localized(Phrase(known: $0))) },
      (style.localized("HRV"), variability(measurement)),
      (style.localized("Mean HR"), measurement.meanHeartRate.map { style.bpm($0) } ?? "-"),
      (style.localized("Confidence"), confidence(measurement)),
      next(measurement, isStored: isStored).map { (style.localized("Next"), style.localized($0)) },
    ]
    return lines(rows.compactMap(\.self), width: width)
  }

  /// One value, one sentence and one action.
  private func simple(_ measurement: LiveMeasurement, isStored: Bool, width: Int?) -> [String] {
    let sentence =
      measurement.mainReason(style)
      ?? normal?.phrase(measurement).map { style.localized("HRV \(style.localized($0))") }
    let texts = [stress(measurement), sentence, next(measurement, isStored: isStored).map(style.localized)]
    return texts.compactMap(\.self).flatMap { text in
      width.map { text.wrapped(to: $0, unicode: style.unicode) } ?? [text]
    }
  }

  /// `49.3 ms (RMSSD), within your normal 36-53 at rest`
  /// - Parameter hint: whether a missing normal range is explained.
  private func variability(_ measurement: LiveMeasurement, hint: Bool = true) -> String {
    let value = style.rmssd(measurement.rmssd)
    guard measurement.stress != nil, measurement.suspension == nil else { return value }
    let unknown = hint ? Phrase("your normal range is known after five days with a reading at rest") : nil
    return [value, (normal?.phrase(measurement) ?? unknown).map(style.localized)]
      .compactMap(\.self).joined(separator: ", ")
  }

  /// `medium (70 %): few normal beats`
  private func confidence(_ measurement: LiveMeasurement) -> String {
    let level = style.confidenceLevel(measurement.confidence ?? 0)
    return measurement.mainReason(style).map { "\(level): \($0)" } ?? level
  }

  private func next(_ measurement: LiveMeasurement, isStored: Bool) -> Phrase? {
    switch measurement.statedCategory {
    case .moderate, .high: Phrase("Breathe slowly for a few minutes: \("stressmon breathe")")
    case .relaxed, .mild: isStored ? Phrase("See how the value comes about: \("stressmon explain")") : nil
    case nil: Phrase("Sit still for a few minutes, and repeat: \("stressmon measure")")
    }
  }

  /// The values with their statistics.
  /// - Parameters:
  ///   - baseline: The baseline of the stress value.
  ///   - width: As of ``lines(_:isStored:width:)``.
  package func details(_ measurement: StressMeasurement, baseline: Baseline, width: Int? = nil) -> [String] {
    lines(rows(measurement, baseline), width: width)
  }

  private func lines(_ rows: [Row], width: Int?) -> [String] {
    let margin = rows.reduce(Self.narrowestMargin) { max($0, $1.label.columns + 2) }
    return rows.flatMap { row($0, margin: margin, width: width) }
  }

  private typealias Row = (label: String, value: String)

  private func rows(_ measurement: StressMeasurement, _ baseline: Baseline) -> [Row] {
    let (nn, live) = (measurement.nn, LiveMeasurement(measurement))
    let (beats, window) = (measurement.beats, measurement.window.fixed(0))
    return [(style.localized("Stress"), stress(live))]
      + [measurement.sensorClass?.warning].compactMap { $0.map { ("", style.localized(Phrase(known: $0))) } }
      + [(style.localized("Confidence"), style.confidenceLevel(measurement.confidence.value))]
      + live.reasons(style).map { ("", $0) }
      + [
        (style.localized("Mean HR"), heartRate(live)), ("RMSSD", rmssd(live)),
        ("SDNN", text(measurement.sdnn, 1, "ms")), ("pNN50", text(measurement.pNN50, 0, "%")),
        (style.localized("Beats"), style.localized("\(nn.count) good of \(beats) in the last \(window) s")),
        (style.localized("Baseline"), style.localized(baseline.summary(measurement.metric))),
      ]
  }

  private func stress(_ measurement: LiveMeasurement) -> String {
    let stress = measurement.stressText(style) ?? measurement.collecting(style) ?? "-"
    return isSimulated ? style.localized("\(stress) (simulated)") : stress
  }

  /// The value beside its label; wrapped lines are indented to the value.
  private func row(_ row: Row, margin: Int, width: Int?) -> [String] {
    let label = row.label.padded(to: margin)
    guard let width, label.columns + row.value.columns > width else { return [label + row.value] }
    let room = max(10, width - margin)
    return row.value.wrapped(to: room, unicode: style.unicode).enumerated().map { place, line in
      (place == 0 ? label : String(repeating: " ", count: margin)) + line
    }
  }

  /// The measurement in one line, for a series of readings.
  package func line(_ measurement: LiveMeasurement) -> String {
    var parts = [
      style.localized("stress \(measurement.stressText(style) ?? "-")"),
      style.confidence(measurement.confidence ?? 0),
      style.localized("mean HR \(heartRate(measurement))"),
      style.localized("HRV \(variability(measurement, hint: false))"),
    ]
    if let reason = measurement.mainReason(style) { parts.append(reason) }
    if isSimulated { parts.append(style.localized("simulated")) }
    return parts.joined(separator: "  ")
  }

  /// `48.1 ms, within your normal 36-53 since 2026-11-10`
  private func rmssd(_ measurement: LiveMeasurement) -> String {
    let position = normal?.phrase(measurement).map { style.localized($0) }
    return [text(measurement.rmssd, 1, "ms"), position].compactMap(\.self).joined(separator: ", ")
  }

  private func heartRate(_ measurement: LiveMeasurement) -> String {
    measurement.meanHeartRate.map { style.bpm($0, decimals: 1) } ?? "-"
  }

  private func text(_ value: Double?, _ decimals: Int, _ unit: String) -> String {
    value.map { "\($0.fixed(decimals)) \(unit)" } ?? "-"
  }
}

/// The position of RMSSD in the person's normal range, in words.
package struct NormalPosition: Sendable {
  private let words: @Sendable (Double) -> Phrase

  /// - Parameter words: `within your normal 36-53 since 2026-11-10`, for RMSSD in ms.
  package init(_ words: @escaping @Sendable (Double) -> Phrase) { self.words = words }

  /// Returns `nil` if there is no stress value, in an irregular rhythm, and during motion and exertion, because the range is
  /// that of rest.
  package func phrase(_ measurement: LiveMeasurement?) -> Phrase? {
    guard let measurement, measurement.stress != nil, measurement.suspension == nil else { return nil }
    return measurement.rmssd.map(words)
  }
}
