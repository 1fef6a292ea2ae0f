package import Formats
package import HRV
package import HeartRate
import History
import JSONLines
package import Stress

/// The metrics and the data quality of a whole session, or of a list of RR intervals.
///
///     let session = try SessionFile(path: "night.jsonl").onlySession { print($0) }
///     let analysis = SessionAnalysis(session, file: "night.jsonl", top: .normal, selection: .time)
///     for (name, metrics) in analysis.series { print(name, metrics[.rmssd] ?? 0) }  // normal, raw, corrected
///     print(analysis.artefactFraction ?? 0)
package struct SessionAnalysis {
  /// The series of beats that is reported first.
  package enum Top: String, Sendable {
    /// Beats that are normal by their final verdicts.
    case normal
    /// All beats; no verdicts are computed.
    case raw
    /// The series in which artefacts are corrected.
    case corrected
  }

  package let file: String
  /// `rr-text` with its unit, or the name of a ``FileFormat``.
  package let format: String
  package let top: Top
  package let selection: MetricsSelection
  package let methods: AnalysisMethods
  /// SHA-256 of the file, if it is known.
  package var inputDigest: String?
  /// Wall-clock time at time 0 of the session, if the file states it.
  package private(set) var started: WallTime?
  /// The metrics of each series by its name; the top series first.
  package private(set) var series: [(name: String, metrics: SeriesMetrics)] = []
  /// The beats of the top series; empty for RR text without verdicts, unless beats were requested.
  package private(set) var topBeats: [Beat] = []
  /// All beats with their final verdicts; empty without verdicts.
  package private(set) var classified: [Beat] = []
  package private(set) var verdicts: [Verdict: Int] = [:]
  /// Number of beats.
  package private(set) var beats = 0
  /// Number of beats that the corrected series replaces, splits, merges or omits.
  package private(set) var corrected = 0
  package private(set) var gaps = 0
  package private(set) var gapTicks: Int64 = 0
  package private(set) var undecodable = 0
  package private(set) var skippedLines = 0
  /// The column of a table that contains the intervals: its heading, else its number.
  package private(set) var column: String?
  /// Absent if there are no verdicts, or too few data to classify the sensor.
  package private(set) var sensorClass: SensorClass?
  /// The marks of the session.
  package private(set) var marks = SessionMarks()
  /// The comparison with the electrocardiogram, if it was requested and has R peaks.
  package private(set) var ecg: ECGAgreement?
  /// Derived from the verdicts.
  package private(set) var rhythm: RhythmRegularity?
  /// Derived from the verdicts.
  package private(set) var ectopic: EctopicBurden?
  /// From the start of the first interval to the end of the last one, in ticks.
  package private(set) var duration: Int64 = 0

  /// Analyzes RR text. The time domain without verdicts is computed without keeping the intervals in memory.
  /// - Parameter keepsBeats: whether ``topBeats`` is required where the metrics alone do not need it.
  /// - Throws: `FormatError` if the text cannot be read.
  package init(
    text: RRTextFile, file: String, top: Top, selection: MetricsSelection?,
    methods: AnalysisMethods = AnalysisMethods(), keepsBeats: Bool = false
  ) throws {
    (self.file, self.top, self.methods) = (file, top, methods)
    if top == .raw, selection == .time, !keepsBeats {
      let reading = try text.read(NNSeries.self)
      (beats, skippedLines, self.selection) = (reading.count, reading.skippedLines, .time)
      (column, started) = (reading.column, reading.start?.localized.time)
      format = Self.format(reading.unit)
      measure(raw: reading.series) { NNSegments() }
      return
    }
    var text = try text.text()
    (beats, skippedLines, column) = (text.intervals.count, text.skippedLines, text.column)
    started = text.start?.localized.time
    self.selection = selection ?? .usual(beats: beats)
    format = Self.format(text.unit)
    if top == .raw, !keepsBeats {
      measure(raw: NNSeries(raw: text.intervals)) { NNSegments(raw: text.intervals) }
    } else {
      var collected = Self.beats(movedFrom: &text)
      measure(collected.takeBeats(), collected.sensorClass)
    }
  }

  /// The intervals are released when the beats exist.
  private static func beats(movedFrom text: inout RRText) -> CollectedBeats {
    let events = text.events
    text.intervals = []
    return CollectedBeats(events)
  }

  package init(
    _ session: OpenedSession, file: String, top: Top, selection: MetricsSelection?,
    methods: AnalysisMethods = AnalysisMethods(), comparesECG: Bool = false
  ) {
    self.init(
      events: session.events, file: file, format: session.format.rawValue, started: session.started, top: top,
      selection: selection, methods: methods, skipped: session.skipped, comparesECG: comparesECG)
  }

  package init(
    events: some Sequence<SessionEvent>, file: String, format: String = FileFormat.recording.rawValue,
    started: WallTime?, top: Top, selection: MetricsSelection?, methods: AnalysisMethods = AnalysisMethods(),
    skipped: Int = 0, within part: ClosedRange<SessionTime>? = nil, comparesECG: Bool = false
  ) {
    (self.file, self.format, self.top, self.methods) = (file, format, top, methods)
    (self.started, skippedLines) = (started, skipped)
    var collected = CollectedBeats(events, collectsECG: comparesECG)
    self.selection = selection ?? .usual(beats: collected.beats.count)
    for gap in collected.gaps {
      let times = gap.start...max(gap.start, gap.end)
      guard part?.overlaps(times) ?? true else { continue }
      let inside = part.map(times.clamped) ?? times
      gaps += 1
      gapTicks += inside.upperBound.ticks - inside.lowerBound.ticks
    }
    (undecodable, marks) = (collected.undecodable, collected.marks)
    measure(collected.takeBeats(), collected.sensorClass, within: part)
    ecg = collected.ecg.map { ECGAgreement($0, beats: classified) }.flatMap { $0.peaks > 0 ? $0 : nil }
  }

  /// Fraction of the beats that are not normal, 0 to 1. Requires verdicts.
  package var artefactFraction: Double? {
    classified.isEmpty ? nil : 1 - Double(verdicts[.normal] ?? 0) / Double(classified.count)
  }

  /// Requires verdicts.
  package var validity: MetricsValidity? {
    classified.isEmpty
      ? nil
      : MetricsValidity(sensorClass: sensorClass, rhythm: rhythm, artefactFraction: artefactFraction)
  }

  private static func format(_ unit: RRText.Unit) -> String { "rr-text (\(unit.rawValue))" }

  private mutating func measure(raw sums: NNSeries, segments: () -> NNSegments) {
    duration = sums.sums.totalTicks
    series = [("raw", SeriesMetrics(sums, selection, spectrum: methods.spectrum, segments: segments))]
  }

  /// Beats are classified within the whole session, because the edges of a part must be classified like its middle.
  ///
  /// The verdicts are set in place: a copy of ten million beats would need 240 MB.
  private mutating func measure(
    _ collected: consuming [Beat], _ sensor: SensorClass?, within part: ClosedRange<SessionTime>? = nil
  ) {
    let raw = measureRaw(Self.part(part, of: collected))
    if top != .raw { methods.classification.classify(&collected) }
    Self.cut(&collected, to: part)
    guard top != .raw else {
      series = raw.map { [("raw", $0)] } ?? []
      topBeats = collected
      return
    }
    classified = collected
    sensorClass = sensor
    count(classified)
    rhythm = RhythmRegularity(classified)
    ectopic = EctopicBurden(classified)
    measureClassified(raw)
  }

  private static func part(_ part: ClosedRange<SessionTime>?, of beats: [Beat]) -> ArraySlice<Beat> {
    part.map { beats.ended(after: $0.lowerBound, through: $0.upperBound) } ?? beats[...]
  }

  /// Measures the beats before they are classified.
  /// - Returns: The metrics, if they are reported.
  private mutating func measureRaw(_ raw: ArraySlice<Beat>) -> SeriesMetrics? {
    beats = raw.count
    if let first = raw.first, let last = raw.last { duration = last.end.ticks - (first.end - first.rr).ticks }
    return top == .raw || !methods.onlyTopSeries ? metrics(raw) : nil
  }

  private mutating func measureClassified(_ raw: SeriesMetrics?) {
    let correction = CorrectedSeries(of: classified)
    corrected = correction.changed
    let isCorrected = top == .corrected
    topBeats = isCorrected ? correction.beats : classified
    let others = raw.map { raw in
      [("raw", raw), isCorrected ? ("normal", metrics(classified)) : ("corrected", metrics(correction))]
    }
    series = [(isCorrected ? "corrected" : "normal", metrics(topBeats))] + (others ?? [])
  }

  private static func cut(_ beats: inout [Beat], to part: ClosedRange<SessionTime>?) {
    guard let part else { return }
    let range = Self.part(part, of: beats).indices
    beats.removeSubrange(range.upperBound...)
    beats.removeSubrange(..<range.lowerBound)
    if !beats.isEmpty { beats[0].followsBreak = true }
  }

  private mutating func count(_ classified: [Beat]) {
    for beat in classified { verdicts[beat.verdict, default: 0] += 1 }
    for beat in classified where beat.verdict == .gap {
      gaps += 1
      gapTicks = (SessionTime(ticks: gapTicks) + beat.rr).ticks
    }
  }

  private func metrics(_ beats: some Collection<Beat>) -> SeriesMetrics {
    SeriesMetrics(beats, selection, spectrum: methods.spectrum)
  }

  private func metrics(_ corrected: CorrectedSeries) -> SeriesMetrics {
    SeriesMetrics(corrected, selection, spectrum: methods.spectrum)
  }
}

/// Whether the HRV metrics of an analysis describe the heart, with the reasons if they do not.
package struct MetricsValidity: Equatable, Sendable {
  /// A reason for metrics that are not valid.
  package enum Reason: String, Sendable, CaseIterable {
    /// The sensor averages or repeats intervals.
    case sensor
    /// The rhythm is irregular, as in atrial fibrillation.
    case irregularRhythm = "irregular_rhythm"
    /// More than ``MetricsValidity/largestFraction`` of the intervals are not normal.
    case artefacts
  }

  package let reasons: [Reason]

  /// Fraction of the intervals that are not normal above which RMSSD is more than 20 % off in six of ten minutes
  /// (docs/design/validation.md); up to it, at most in one of four.
  package static let largestFraction = 0.3

  init(sensorClass: SensorClass?, rhythm: RhythmRegularity?, artefactFraction: Double?) {
    var reasons: [Reason] = []
    if sensorClass == .smoothed { reasons.append(.sensor) }
    if rhythm?.isIrregular ?? false { reasons.append(.irregularRhythm) }
    if artefactFraction ?? 0 > Self.largestFraction { reasons.append(.artefacts) }
    self.reasons = reasons
  }

  package var isValid: Bool { reasons.isEmpty }
}

extension SessionAnalysis {
  /// One object: the metrics of the top series as members, and those of all series under `series`.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("file", file)
      line.put("format", format)
      line.put("column", column)
      line.put("metrics", selection.rawValue)
      line.put("psd", methods.spectrum.method.rawValue)
      line.put("detrend", methods.spectrum.detrending.rawValue)
      line.put("raw", top == .raw)
      if top != .raw {
        line.put("correction", methods.correctionName)
        line.put("classifier", methods.classifierName)
      }
      provenance.put(into: &line)
      line.put("duration_s", seconds: SessionTime(ticks: duration))
      if let top = series.first { line.put(top.metrics) }
      if let fraction = artefactFraction { putQuality(fraction, into: &line) }
      line.put("gaps", gaps)
      line.put("gap_s", seconds: SessionTime(ticks: gapTicks))
      if undecodable > 0 { line.put("undecodable_notifications", undecodable) }
      if skippedLines > 0 { line.put("skipped_lines", skippedLines) }
      line.put("series") { all in
        for series in series { all.put(series.name) { $0.put(series.metrics) } }
      }
      if let ecg { line.put(ecg) }
    }
    return line.bytes
  }

  private func putQuality(_ artefactFraction: Double, into line: inout JSONLine) {
    line.put(.artefacts, artefactFraction * 100)
    line.put("verdicts", verdicts)
    line.put("ectopic_beats", ectopic?.count)
    line.put("ectopic_percent", ectopic?.percent)
    line.put("corrected_beats", corrected)
    line.put("sensor_class", sensorClass?.rawValue)
    line.put("rhythm_minutes", rhythm?.minutes)
    line.put("irregular_minutes", rhythm?.irregularMinutes)
    line.put("irregular_rhythm", rhythm?.isIrregular)
    line.put("metrics_valid", validity?.isValid)
    line.put("invalid_reasons", texts: validity?.reasons.map(\.rawValue) ?? [])
  }
}

extension JSONLine {
  /// Adds an object with the number of beats of each verdict.
  mutating func put(_ key: String, _ verdicts: [Verdict: Int]) {
    put(key) { all in
      for verdict in Verdict.allCases { all.put(verdict.rawValue, verdicts[verdict] ?? 0) }
    }
  }
}

extension SessionAnalysis {
  /// The format of a stored session in the output.
  package static let storedFormat = "session"

  /// Analyzes stored sessions, or parts of them: one analysis per session.
  /// - Throws: ``ReportError`` if a part contains no beat or does not exist; `HistoryError`.
  package static func stored(
    _ source: ComparedSource, named name: String, in finder: SessionFinder, top: Top,
    selection: MetricsSelection?, methods: AnalysisMethods = AnalysisMethods(), comparesECG: Bool = false
  ) throws -> [SessionAnalysis] {
    try parts(source, named: name, in: finder).map { stored, part, suffix in
      let analysis = SessionAnalysis(
        events: part.events, file: stored.info.id.text + suffix, format: storedFormat,
        started: stored.info.started, top: top, selection: selection, methods: methods,
        within: part.start...max(part.start, part.end), comparesECG: comparesECG)
      guard analysis.beats > 0 else { throw ReportError(.noBeats, name) }
      return analysis
    }
  }

  private static func parts(
    _ source: ComparedSource, named name: String, in finder: SessionFinder
  ) throws -> [(StoredSession, SessionPart, String)] {
    switch source {
    case .named(let prefix, let span), .session(let prefix, let span):
      let stored = try finder.existingSession(beginningWith: prefix)
      let suffix = span == nil ? "" : name.lastIndex(of: "@").map { String(name[$0...]) } ?? ""
      return [(stored, try finder.part(stored).narrowed(to: span, named: name), suffix)]
    case .history(let times):
      return try finder.sessions(in: times, named: name).map {
        ($0, try finder.part($0, within: times), "")
      }
    }
  }
}

extension SessionAnalysis {
  /// Analyzes a part of the only session of a file.
  /// - Throws: ``ReportError`` if the part contains no beat or does not exist.
  package init(
    _ session: OpenedSession, span: SessionSpan?, named name: String, top: Top,
    selection: MetricsSelection?, methods: AnalysisMethods, comparesECG: Bool = false
  ) throws(ReportError) {
    let part = try SessionPart(events: Array(session.events)).narrowed(to: span, named: name)
    self.init(
      events: part.events, file: name, format: session.format.rawValue, started: session.started, top: top,
      selection: selection, methods: methods, skipped: session.skipped,
      within: part.start...max(part.start, part.end), comparesECG: comparesECG)
    guard beats > 0 else { throw ReportError(.noBeats, name) }
  }
}
