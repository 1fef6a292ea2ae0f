import HRV
import HeartRate
import JSONLines

/// Writes the beats of a session as `_physioevents`, and the tachogram as the `_physio` that BIDS requires next to it.
struct BIDSBeats {
  /// Samples of the tachogram per second.
  static let rate = 4
  static let recording = "recording-rr"
  static let columns = ["onset", "duration", "trial_type", "rr_ms", "verdict"]
  /// Key of the length of the session in seconds.
  static let duration = "RecordingDuration"
  /// Longest continuous data in seconds: a week. Later samples are omitted.
  static let longest = 604_800.0

  private let session: ResearchSession
  private let program: String

  /// - Parameter program: name and versions of the program, for the description of the verdicts.
  init(_ session: ResearchSession, program: String) { (self.session, self.program) = (session, program) }

  func write(_ path: String, to files: BIDSDataset.Files) throws {
    let path = "\(path)_\(Self.recording)"
    try files("\(path)_physio.tsv.gz") { try writeTachogram(to: $0) }
    try files("\(path)_physio.json") { try $0(tachogramSidecar) }
    try files("\(path)_physioevents.tsv.gz") { try writeBeats(to: $0) }
    try files("\(path)_physioevents.json") { try $0(beatSidecar) }
  }

  // MARK: Beats

  private func writeBeats(to sink: ByteSink) throws {
    let encoder = GzipEncoder()
    var rows: [UInt8] = []
    var gaps = session.chain.gaps[...]
    var before: SessionTime?
    for peak in session.chain.peaks {
      if peak.verdict == nil, before != nil, let gap = gaps.popFirst() { Self.append(gap: gap, to: &rows) }
      Self.append(peak, after: before, to: &rows)
      before = peak.at
      if rows.count >= 1 << 16 {
        try encoder.write(rows, to: sink)
        rows.removeAll(keepingCapacity: true)
      }
    }
    try encoder.write(rows, to: sink)
    try encoder.finish(to: sink)
  }

  private static func append(_ peak: RPeakChain.Peak, after before: SessionTime?, to rows: inout [UInt8]) {
    rows.append(seconds: peak.at)
    guard let verdict = peak.verdict, let before else {
      rows += "\t0\tstart\tn/a\tn/a\n".utf8
      return
    }
    rows += "\t0\tbeat\t".utf8
    rows.append(milliseconds: RRInterval(ticks: peak.at.ticks - before.ticks).ticks)
    rows += "\t\(verdict.rawValue)\n".utf8
  }

  private static func append(gap: Range<SessionTime>, to rows: inout [UInt8]) {
    rows.append(seconds: gap.lowerBound)
    rows.append(UInt8(ascii: "\t"))
    rows.append(seconds: SessionTime(ticks: gap.upperBound.ticks - gap.lowerBound.ticks))
    rows += "\tgap\tn/a\tn/a\n".utf8
  }

  private var beatSidecar: [UInt8] {
    JSONLine.document { line in
      line.put("Columns", texts: Self.columns)
      line.put("Description", "R peaks of a heart-rate strap, from its RR intervals")
      line.put("OnsetSource", "timestamp")
      line.put(Self.duration, seconds: session.end)
      line.put("onset") {
        $0.put("Description", "Time of the R peak since the start of the session")
        $0.put("Units", "s")
      }
      line.put("trial_type") {
        $0.put("Description", "Kind of the row")
        $0.put("Levels") {
          $0.put("beat", "An R peak that ends an RR interval")
          $0.put("start", "The R peak that begins the first RR interval after missing data")
          $0.put("gap", "Missing data, from onset on for duration")
        }
      }
      line.put("rr_ms") {
        $0.put("Description", "The RR interval that the beat ends, exact")
        $0.put("Units", "ms")
      }
      line.put("verdict") {
        $0.put("Description", classification)
        $0.put("Levels") { line in
          for verdict in Verdict.allCases { line.put(verdict.rawValue, Self.meaning(verdict)) }
        }
      }
    }
  }

  private var classification: String {
    "Classification of the RR interval by the final classifier of \(program), which is derived from Lipponen and Tarvainen "
      + "(2019) and differs from it"
  }

  private static func meaning(_ verdict: Verdict) -> String {
    switch verdict {
    case .normal: "Normal-to-normal interval"
    case .ectopic: "Begins or ends with a premature beat"
    case .missed: "About twice the usual length: a beat was not detected"
    case .extra: "About half the usual length: a false detection"
    case .long: "Too long to be normal, cause unknown"
    case .short: "Too short to be normal, cause unknown"
    case .gap: "Longer than 3 s: spans missing data"
    }
  }

  // MARK: Tachogram

  private var start: Double { (session.chain.peaks.first?.at.seconds ?? 0).rounded(.down) }

  private func writeTachogram(to sink: ByteSink) throws {
    let encoder = GzipEncoder()
    var sampler = TachogramSampler(session.chain, rate: Self.rate)
    let first = Int64(start) * Int64(Self.rate)
    let end = min(session.chain.peaks.last?.at.seconds ?? 0, start + Self.longest)
    var rows: [UInt8] = []
    for index in first...max(first, Int64((end * Double(Self.rate)).rounded(.up))) {
      rows.append(
        seconds: SessionTime(ticks: index * RRInterval.ticksPerSecond / Int64(Self.rate)))
      rows.append(UInt8(ascii: "\t"))
      if let rr = sampler.interval(at: index) {
        rows.append(milliseconds: rr.ticks)
      } else {
        rows += "n/a".utf8
      }
      rows.append(UInt8(ascii: "\n"))
      if rows.count >= 1 << 16 {
        try encoder.write(rows, to: sink)
        rows.removeAll(keepingCapacity: true)
      }
    }
    try encoder.write(rows, to: sink)
    try encoder.finish(to: sink)
  }

  private var tachogramSidecar: [UInt8] {
    JSONLine.document { line in
      line.put("SamplingFrequency", Self.rate)
      line.put("StartTime", start)
      line.put("Columns", texts: ["timestamp", "rr_ms"])
      line.put("PhysioType", "generic")
      line.put("timestamp") {
        $0.put("Description", "Time since the start of the session")
        $0.put("Units", "s")
      }
      line.put("rr_ms") {
        $0.put("Description", "Tachogram: the RR interval at this time")
        $0.put("Units", "ms")
      }
    }
  }
}
