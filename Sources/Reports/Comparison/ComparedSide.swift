package import HRV
package import HeartRate
package import History

/// The data of one side of a comparison.
package struct ComparedSide {
  /// The argument that names the side.
  package let name: String
  package let kind: Kind
  /// Wall-clock time of the start, if known.
  package let time: WallTime?
  /// The profile of the session, if known.
  package let profile: String?
  package let sensor: Sensor
  package let data: ComparedBeats
  package let series: NNSeries

  package enum Kind: String, Sendable {
    case file
    case session
    case history
  }

  /// The source of the intervals. Properties that the data do not contain are nil.
  package struct Sensor: Sendable {
    package var source: SessionInfo.Source?
    package var strap: StrapIdentity?

    package init(source: SessionInfo.Source? = nil, strap: StrapIdentity? = nil) {
      (self.source, self.strap) = (source, strap)
    }
  }

  /// - Throws: ``ReportError`` if no part contains a beat.
  init(
    name: String, kind: Kind, started: WallTime?, profile: String?, sensor: Sensor, parts: [SessionPart],
    methods: AnalysisMethods = AnalysisMethods(), top: SessionAnalysis.Top = .normal
  ) throws(ReportError) {
    (self.name, self.kind, self.profile, self.sensor) = (name, kind, profile, sensor)
    data = ComparedBeats(parts, methods: methods, top: top)
    series = data.series
    guard let start = data.stretches.first?.start else { throw ReportError(.noBeats, name) }
    time = started?.advanced(ticks: start.ticks)
  }

  /// Seconds from the start of the earlier side to the end of the later one, if the times of the two sides are comparable.
  /// Those of files without a wall-clock time are, if they are the same file.
  func extent(with other: ComparedSide) -> Double? {
    guard let mine = data.times, let others = other.data.times else { return nil }
    if let time, let otherTime = other.time {
      let shift = Double(otherTime.microseconds - time.microseconds) / 1_000_000
      return max(mine.length, shift + others.length) - min(0, shift)
    }
    guard kind == .file, other.kind == .file, path == other.path else { return nil }
    return max(mine.end, others.end) - min(mine.start, others.start)
  }

  /// The argument without the selected times: `rest.txt@0s-60s` names `rest.txt`.
  private var path: Substring { name.prefix(upTo: name.lastIndex(of: "@") ?? name.endIndex) }

  var change: RMSSDChange.Side { RMSSDChange.Side(beats: data.beats, trust: data.trust.value) }
}
