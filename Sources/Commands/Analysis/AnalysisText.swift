import HRV
import HeartRate
import Localization
import NetworkCommands
import Reports
import Stress
import Terminal

/// An analysis as text.
struct AnalysisText {
  let analysis: SessionAnalysis

  var text: String {
    let columns = analysis.series
    var table = TextTable(
      [("", .left)] + columns.map { (localized(Self.name(ofSeries: $0.name)), .right) } + [("", .left)])
    table.append([localized("beats")] + columns.map { "\($0.metrics.beats)" } + [""])
    for row in columns[0].metrics.metrics.indices {
      let cells = columns.map { $0.metrics.metrics[row] }
      table.append(
        [cells[0].metric.localizedLabel] + cells.map(\.localizedText) + [cells[0].metric.localizedUnit])
    }
    let lines =
      [heading] + table.lines() + cosinor + reasons + scope + [quality] + warning + rhythm + tooManyArtefacts
    return lines.map { $0 + "\n" }.joined()
      + (analysis.ecg.map { "\n" + ECGAgreementText(agreement: $0).text } ?? "")
  }

  /// The daily rhythm of the heart rate.
  private var cosinor: [String] {
    guard let found = analysis.series[0].metrics.cosinor else { return [] }
    let (mean, size) = (found.mesor.fixed(1), found.amplitude.fixed(1))
    let (meanError, sizeError) = (found.mesorHalfWidth.fixed(1), found.amplitudeHalfWidth.fixed(1))
    let rhythm = localized(
      "Heart rate over the day (cosinor): mean \(mean) ± \(meanError) bpm, amplitude \(size) ± \(sizeError) bpm"
    )
    guard let error = found.peakHalfWidth else { return [rhythm] }
    let (peak, minutes) = (clockText(seconds: found.peak), (error / 60).fixed(0))
    return [rhythm + "; " + localized("highest \(peak) ± \(minutes) min after the start")]
  }

  private var heading: String {
    let length = clockText(seconds: SessionTime(ticks: analysis.duration).seconds)
    let column = analysis.column.map { localized("column \($0.printable)") }
    let beats = localized(
      "\(analysis.beats) beat in \(length)", "\(analysis.beats) beats in \(length)", count: analysis.beats)
    let parts = [analysis.format, column, beats].compactMap(\.self)
    return "\(analysis.file.printable): \(parts.joined(separator: ", "))"
  }

  /// The reason for each absent metric of the top series.
  private var reasons: [String] {
    analysis.series[0].metrics.metrics.compactMap { metric in
      metric.absence.map { localized("no \(metric.metric.localizedName): \($0.phrase)") }
    } + advice
  }

  /// What to type if an artefact divides the beats into runs that are too short for the spectrum.
  private var advice: [String] {
    let isMissing = analysis.series[0].metrics.metrics.contains { metric in
      guard MetricCatalogue.frequencyDomain.contains(metric.metric) else { return false }
      if case .tooShort? = metric.absence { return true }
      return false
    }
    let verdicts = analysis.verdicts.filter { !$0.key.isNormal && $0.value > 0 }
    guard isMissing, analysis.top == .normal, analysis.methods.spectrum.method != .lomb, !verdicts.isEmpty
    else { return [] }
    return [
      localized(
        "Welch and autoregressive spectra need a stretch without artefacts: add --corrected, or use --psd lomb"
      )
    ]
  }

  private var quality: String {
    var parts = [artefacts]
    if let found = analysis.sensorClass { parts.append(localized(found.word)) }
    let gapSeconds = SessionTime(ticks: analysis.gapTicks).seconds
    parts.append(
      analysis.gaps == 0
        ? localized("no gaps") : localized("gaps: \(analysis.gaps), \(gapSeconds.fixed(1)) s in all"))
    if analysis.undecodable > 0 {
      parts.append(localized("notifications that do not decode: \(analysis.undecodable)"))
    }
    if analysis.skippedLines > 0 { parts.append(localized("values left out: \(analysis.skippedLines)")) }
    return parts.joined(separator: "; ")
  }

  private var artefacts: String {
    guard let fraction = analysis.artefactFraction else { return localized("not judged (--raw)") }
    let percent = (fraction * 100).fixed(2)
    let artefacts = localized("artefacts \(percent) %\(analysis.verdicts.artefactCounts)")
    guard let burden = analysis.ectopic, burden.count > 0, let fraction = burden.percent else {
      return artefacts
    }
    return artefacts + "; " + localized("ectopic beats \(burden.count) (\(fraction.fixed(2)) %)")
  }

  /// The warning about the sensor, if its class has one.
  private var warning: [String] {
    [analysis.sensorClass?.warning].compactMap { $0.map { localized(Phrase(known: $0)) } }
  }

  /// The warning about an irregular rhythm.
  private var rhythm: [String] {
    guard let rhythm = analysis.rhythm, rhythm.isIrregular else { return [] }
    return [
      localized(
        "irregular rhythm in \(rhythm.irregularMinutes) of \(rhythm.minutes) minute: HRV then does not indicate stress or fitness. This is not a diagnosis; a physician can examine the cause with an ECG",
        "irregular rhythm in \(rhythm.irregularMinutes) of \(rhythm.minutes) minutes: HRV then does not indicate stress or fitness. This is not a diagnosis; a physician can examine the cause with an ECG",
        count: rhythm.minutes)
    ]
  }

  /// The warning about intervals that are not normal.
  private var tooManyArtefacts: [String] {
    guard let fraction = analysis.artefactFraction, analysis.validity?.reasons.contains(.artefacts) ?? false
    else {
      return []
    }
    let limit = Int((MetricsValidity.largestFraction * 100).rounded())
    return [
      localized(
        "not valid: \((fraction * 100).fixed(0)) % of the intervals are not normal. Above \(limit) %, RMSSD of the others is more than 20 % off in most minutes"
      )
    ]
  }

  /// States which metrics were computed, unless all were.
  private var scope: [String] {
    analysis.selection == .all
      ? []
      : [
        localized(
          "only metrics of \(analysis.selection.rawValue) are shown; --metrics all shows the others too")
      ]
  }

  /// The name of a series, which JSON contains in English.
  static func name(ofSeries name: String) -> Phrase {
    switch name {
    case "normal": Phrase("normal")
    case "raw": Phrase("raw")
    case "corrected": Phrase("corrected")
    default: Phrase(untranslated: name)
    }
  }
}

extension [Verdict: Int] {
  /// The number of artefacts of each kind in parentheses; empty without artefacts.
  var artefactCounts: String {
    let kinds = Verdict.allCases.filter { !$0.isNormal }.compactMap { verdict in
      self[verdict].map { "\(localized(Phrase(known: verdict.rawValue))) \($0)" }
    }
    return kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
  }
}

extension MetricValue {
  /// The value with the decimals of its metric; "-" if it is absent.
  var localizedText: String { value.map { localized(number: $0, metric.decimals) } ?? "-" }
}

extension MetricDefinition {
  /// The name in the language of the process. Abbreviations and symbols are the same in every language.
  var localizedName: String { localized(title) }

  /// The unit in the language of the process. Symbols are the same in every language.
  var localizedUnit: String { unit == "bpm" ? localized("bpm") : unit }

  /// ``label`` in the language of the process.
  var localizedLabel: String { isQualifier ? "  " + localizedName : localizedName }
}

/// DFA alpha1 over time as a table, and the crossing of 0.75.
struct AlphaReportText {
  private let report: AlphaReport

  init(_ report: AlphaReport) { self.report = report }

  var text: String {
    var table = TextTable([
      (localized("start"), .right), (localized("HR bpm"), .right), ("alpha1", .right),
      (localized("artefacts %"), .right),
    ])
    for window in report.windows.windows {
      table.append([
        clockText(seconds: window.start.seconds), window.meanHeartRate.map { $0.fixed(0) } ?? "-",
        window.metrics[.dfaAlpha1].map { localized(number: $0, 2) } ?? "-",
        window.artefactFraction.map { localized(number: $0 * 100, 1) } ?? "-",
      ])
    }
    return ([heading] + table.lines() + [result]).map { $0 + "\n" }.joined()
  }

  private var heading: String {
    let first = report.windows.windows[0]
    let length = Duration(ticks: first.end.ticks - first.start.ticks).shortText
    let (file, count) = (report.windows.analysis.file.printable, report.windows.windows.count)
    return localized(
      "\(file): DFA alpha1 in \(count) window of \(length)",
      "\(file): DFA alpha1 in \(count) windows of \(length)", count: count)
  }

  private var result: String {
    switch report.threshold {
    case .success(let found):
      localized(
        "alpha1 falls to 0.75 at \(found.heartRate.fixed(0)) bpm (R^2 \(found.rSquared.fixed(2)), \(found.windows) window), an estimate of the aerobic threshold (Rogers et al. 2021)",
        "alpha1 falls to 0.75 at \(found.heartRate.fixed(0)) bpm (R^2 \(found.rSquared.fixed(2)), \(found.windows) windows), an estimate of the aerobic threshold (Rogers et al. 2021)",
        count: found.windows)
    case .failure(let reason): localized("no crossing of 0.75: \(reason.phrase)")
    }
  }
}

/// The agreement of beats with the electrocardiogram as text.
struct ECGAgreementText {
  let agreement: ECGAgreement

  var text: String {
    ([heading] + table.lines() + [verdicts, errors] + respiration).map { $0 + "\n" }.joined()
  }

  private var heading: String {
    let peaks = Phrase("\(agreement.peaks) R peak", "\(agreement.peaks) R peaks", count: agreement.peaks)
    let beats = Phrase("\(agreement.beats) beat", "\(agreement.beats) beats", count: agreement.beats)
    return localized(
      """
      electrocardiogram of \(clockText(seconds: agreement.seconds)): \(peaks), \(agreement.missed) without a beat; \
      \(beats), \(agreement.extra) without an R peak
      """)
  }

  private var table: TextTable {
    let columns = [
      localized("R-R equal"), localized("R peak inside"), localized("no R peak"), localized("R-R differs"),
    ]
    var table = TextTable([(localized("verdict"), .left)] + columns.map { ($0, .right) })
    for verdict in Verdict.allCases {
      guard let counts = agreement.evidence[verdict] else { continue }
      table.append(
        [localized(Phrase(known: verdict.rawValue))]
          + ECGAgreement.Evidence.allCases.map { "\(counts[$0] ?? 0)" })
    }
    return table
  }

  private var verdicts: String {
    let percent = 100 * Double(agreement.agreeing) / Double(max(agreement.beats, 1))
    return localized(
      "verdicts that agree: \(agreement.agreeing) of \(agreement.beats) (\(percent.fixed(1)) %)")
  }

  private var errors: String {
    guard let absolute = agreement.meanAbsoluteError, let mean = agreement.meanError else {
      return localized("no successive beats to compare")
    }
    return localized("RR minus R-R: mean absolute error \(absolute.fixed(1)) ms, mean \(mean.fixed(1)) ms")
  }

  private var respiration: [String] {
    agreement.respirationRate.map {
      [localized("respiration from the amplitude of the R peaks: \($0.fixed(1)) breaths/min")]
    } ?? []
  }
}
