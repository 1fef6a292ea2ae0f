import HRV
package import HeartRate
package import History
import JSONLines
package import Localization
package import Stress

/// Compares the confidence of live stress values with the values that the R peaks of the electrocardiogram give.
///
/// The calibrated factors of the confidence state the probability that a value is within 10 points of that of the undisturbed beats
/// of the same window. With an electrocardiogram, these beats are known: each of its R-R intervals, with final verdicts. The
/// session is computed without the verification by the electrocardiogram, one window per minute.
package struct ConfidenceCalibration: Sendable {
  /// A window: its stated probability, and the difference between its value and that of the electrocardiogram.
  package struct Window: Equatable, Sendable {
    package var stated: Double
    package var difference: Double
  }

  /// The windows whose stated probability is in a range.
  package struct Bin: Equatable, Sendable {
    package var range: ClosedRange<Double>
    package var windows: Int
    /// Means, 0 to 1.
    package var stated: Double
    package var found: Double
  }

  /// The electrocardiogram that is required, in seconds.
  package static let leastSeconds = 3600.0
  /// The difference that the probability concerns.
  private static let limit = 10.0
  private static let ranges = [0.0...0.5, 0.5...0.8, 0.8...0.9, 0.9...0.95, 0.95...1]
  private static let factors: [Confidence.Factor] = [
    .abnormalBeats, .lostData, .contact, .tail, .noise, .sensor,
  ]

  package private(set) var windows: [Window] = []
  /// Length of the electrocardiograms in seconds.
  package private(set) var seconds = 0.0

  package init() {}

  /// Adds the sessions of a person that contain an electrocardiogram.
  package mutating func addSessions(of profile: String, _ reader: HistoryReader) throws {
    for session in try reader.sessions(of: profile, limit: .max) where session.info.source == .strap {
      guard reader.events(of: session.info.id).contains(where: \.isElectrocardiogram) else { continue }
      let stored = reader.events(of: session.info.id)
      add(Array(stored), StressEngine(settings: session.info.settings, baseline: session.info.baseline))
      if let failure = stored.failure { throw failure }
    }
  }

  /// Adds a session.
  package mutating func add(_ events: [SessionEvent], _ engine: StressEngine) {
    var signal = ECGSignal()
    for event in events { signal.append(event) }
    seconds += signal.seconds
    let (measurements, beats) = Self.measurements(events, engine)
    let detector = RPeakDetector(rate: signal.rate)
    for segment in signal.segments {
      let peaks = detector.peaks(in: segment.samples).map { segment.time(at: $0, rate: signal.rate) }
      compare(measurements, beats, peaks, engine)
    }
  }

  /// One measurement per minute, and all beats, without the electrocardiogram.
  private static func measurements(
    _ events: [SessionEvent], _ engine: StressEngine
  ) -> ([StressMeasurement], [Beat]) {
    var (engine, beats, found) = (engine, [Beat](), [StressMeasurement]())
    for event in events where !event.isElectrocardiogram {
      engine.update(event) {
        if case .beat(let beat) = $0 { beats.append(beat) }
      } measured: { measurement in
        guard measurement.score != nil,
          measurement.time.seconds - (found.last?.time.seconds ?? -.infinity) >= 60
        else { return }
        found.append(measurement)
      }
    }
    return (found, beats)
  }

  private mutating func compare(
    _ measurements: [StressMeasurement], _ beats: [Beat], _ peaks: [Double], _ engine: StressEngine
  ) {
    guard peaks.count > 60 else { return }
    let pairs = PeakAlignment(beats, peaks: peaks).assigned
    let delays = pairs.compactMap { pair in pair.peak.map { beats[pair.beat].end.seconds - peaks[$0] } }
    guard !delays.isEmpty else { return }
    let delay = delays.sorted()[delays.count / 2]
    let truth = ArtefactClassifier.classify(Self.beats(peaks.map { $0 + delay }))
    for measurement in measurements {
      let end = measurement.time.seconds
      guard end - measurement.window >= peaks[0] + delay, end <= peaks[peaks.count - 1] + delay,
        let value = Self.score(truth, measurement, engine)
      else { continue }
      let stated = Self.factors.reduce(1) { $0 * (measurement.confidence[$1] ?? 1) }
      windows.append(Window(stated: stated, difference: (measurement.score?.value ?? 0) - value))
    }
  }

  private static func beats(_ ends: [Double]) -> [Beat] {
    zip(ends, ends.dropFirst()).compactMap { start, end in
      guard let time = SessionTime(seconds: end), let rr = RRInterval(milliseconds: 1000 * (end - start))
      else {
        return nil
      }
      return Beat(end: time, rr: rr, verdict: .normal, followsBreak: false)
    }
  }

  /// The stress value of the same window from the R peaks.
  private static func score(
    _ beats: [Beat], _ measurement: StressMeasurement, _ engine: StressEngine
  ) -> Double? {
    guard var inputs = measurement.score?.inputs else { return nil }
    var window = BeatWindow(length: engine.settings.window)
    let start = measurement.time.seconds - measurement.window
    for beat in beats where beat.end.seconds > start && beat.end <= measurement.time { window.append(beat) }
    let sums = window.sums
    guard let hrv = measurement.metric.value(sums), let mean = sums.meanNN, mean > 0 else { return nil }
    (inputs.hrv, inputs.heartRate) = (hrv, 60_000 / mean)
    return (try? StressScore(inputs))?.value
  }

  // MARK: Result

  /// The bins that contain windows.
  package var bins: [Bin] {
    Self.ranges.compactMap { range in
      let inside = windows.filter { $0.stated > range.lowerBound && $0.stated <= range.upperBound }
      guard !inside.isEmpty else { return nil }
      let count = Double(inside.count)
      return Bin(
        range: range, windows: inside.count, stated: inside.reduce(0) { $0 + $1.stated } / count,
        found: Double(inside.count { $0.difference.magnitude <= Self.limit }) / count)
    }
  }

  /// The expected calibration error: the mean difference between stated and found, weighted by the windows of the bins.
  package var expectedError: Double? {
    guard !windows.isEmpty else { return nil }
    return bins.reduce(0) { $0 + ($1.stated - $1.found).magnitude * Double($1.windows) }
      / Double(windows.count)
  }

  /// The bins, one per line, with a heading and the error.
  package var phrases: [Phrase] {
    var lines = [
      Phrase(
        "Confidence of \(windows.count) minutes, compared with the R peaks of \(Int(seconds / 60)) min of electrocardiograms:"
      )
    ]
    for bin in bins {
      let (low, high) = ((100 * bin.range.lowerBound).fixed(0), (100 * bin.range.upperBound).fixed(0))
      let (stated, found) = ((100 * bin.stated).fixed(0), (100 * bin.found).fixed(0))
      lines.append(
        Phrase(
          "  \(low)-\(high) %: stated \(stated) %, within 10 points \(found) % of \(bin.windows) minutes"))
    }
    if let error = expectedError {
      lines.append(
        Phrase("Mean difference between stated and found: \((100 * error).fixed(1)) percent points"))
    }
    return lines
  }

  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("ecg_s", seconds)
      line.put("windows", windows.count)
      line.put("expected_calibration_error", expectedError)
      line.put("bins", objects: bins) { line, bin in
        line.put("stated_low", bin.range.lowerBound)
        line.put("stated_high", bin.range.upperBound)
        line.put("windows", bin.windows)
        line.put("stated", bin.stated)
        line.put("found", bin.found)
      }
    }
    return line.bytes
  }
}

extension SessionEvent {
  /// Whether the event belongs to the electrocardiogram.
  fileprivate var isElectrocardiogram: Bool {
    switch kind {
    case .sensorFrame(let payload): SensorFrame.stream(of: payload) == .ecg
    case .stream(let change): change.stream == .ecg
    default: false
    }
  }
}
