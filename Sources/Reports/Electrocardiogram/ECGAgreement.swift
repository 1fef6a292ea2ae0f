package import HRV
import HeartRate
package import JSONLines

/// The agreement of beats and their verdicts with the R peaks of the electrocardiogram that was recorded with them.
package struct ECGAgreement: Equatable, Sendable {
  package typealias Evidence = BeatEvidence

  /// Length of the electrocardiogram in seconds.
  package private(set) var seconds = 0.0
  /// Number of R peaks.
  package private(set) var peaks = 0
  /// Number of beats during the electrocardiogram.
  package private(set) var beats = 0
  /// R peaks between the compared beats that are not the end of an RR interval.
  package private(set) var missed = 0
  /// RR intervals that do not end at an R peak.
  package private(set) var extra = 0
  /// Number of beats of each verdict and evidence.
  package private(set) var evidence: [Verdict: [Evidence: Int]] = [:]
  private var errors: [Double] = []
  private var respiration = AmplitudeRespiration()

  /// Detects the R peaks of `signal` and compares them with `beats`, which have their final verdicts.
  package init(_ signal: ECGSignal, beats: [Beat]) {
    seconds = signal.seconds
    let detector = RPeakDetector(rate: signal.rate)
    for segment in signal.segments {
      let complexes = detector.complexes(in: segment.samples)
      let peaks = complexes.map { segment.time(at: $0.position, rate: signal.rate) }
      self.peaks += peaks.count
      respiration.append(zip(peaks, complexes).map { (time: $0, amplitude: $1.amplitude) })
      compare(beats, peaks)
    }
  }

  /// Mean absolute difference between RR intervals and R-R intervals in ms, of successive beats with successive peaks, if
  /// there are such beats.
  package var meanAbsoluteError: Double? { mean(errors.map(\.magnitude)) }

  /// Mean of RR interval minus R-R interval in ms, of the same beats.
  package var meanError: Double? { mean(errors) }

  /// The number of compared beats whose verdict agrees with the electrocardiogram.
  package var agreeing: Int {
    evidence.reduce(0) { sum, entry in
      sum + entry.value.reduce(0) { $0 + ($1.key.agrees(with: entry.key) ? $1.value : 0) }
    }
  }

  /// The median breathing rate from the amplitudes of the R peaks, in breaths per minute, of the minutes in which it is reliable.
  package var respirationRate: Double? { respiration.rate }

  private func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private mutating func compare(_ beats: [Beat], _ peaks: [Double]) {
    let assigned = PeakAlignment(beats, peaks: peaks).assigned
    for (place, pair) in assigned.enumerated() {
      let beat = beats[pair.beat]
      self.beats += 1
      evidence[beat.verdict, default: [:]][BeatEvidence(beat, endingAt: pair.peak, of: peaks), default: 0] +=
        1
      guard let peak = pair.peak else {
        extra += 1
        continue
      }
      if place > 0, assigned[place - 1].beat == pair.beat - 1, assigned[place - 1].peak == peak - 1 {
        errors.append(beat.rr.milliseconds - 1000 * (peaks[peak] - peaks[peak - 1]))
      }
    }
    missed += Self.missed(assigned.compactMap(\.peak))
  }

  /// The number of peaks between the first and the last assigned one that are not assigned.
  private static func missed(_ assigned: [Int]) -> Int {
    guard let first = assigned.first, let last = assigned.last else { return 0 }
    return last - first + 1 - assigned.count
  }
}

/// The breathing rate of each minute, from the amplitudes of R peaks.
struct AmplitudeRespiration: Equatable, Sendable {
  private var rates: [Double] = []

  mutating func append(_ peaks: [(time: Double, amplitude: Double)]) {
    guard let first = peaks.first?.time, let last = peaks.last?.time else { return }
    for start in stride(from: first, through: last - 60, by: 60) {
      let minute = peaks.filter { $0.time >= start && $0.time < start + 61 }
      if let rate = RespirationRate(amplitudes: minute).rate.value { rates.append(rate) }
    }
  }

  var rate: Double? { rates.isEmpty ? nil : rates.sorted()[rates.count / 2] }
}

extension BeatEvidence {
  /// Whether it is what `verdict` states. An ectopic beat is a beat; the cause of a long or short interval is unknown.
  package func agrees(with verdict: Verdict) -> Bool {
    switch verdict {
    case .normal, .ectopic: self == .same
    case .missed: self == .missedPeak
    case .extra: self == .noPeak || self == .different
    case .long, .short, .gap: self != .same
    }
  }
}

extension JSONLine {
  /// Adds the agreement with the electrocardiogram as the object `ecg`.
  package mutating func put(_ agreement: ECGAgreement) {
    put("ecg") { line in
      line.put("ecg_s", agreement.seconds)
      line.put("peaks", agreement.peaks)
      line.put("compared_beats", agreement.beats)
      line.put("missed_peaks", agreement.missed)
      line.put("beats_without_peak", agreement.extra)
      line.put("agreeing_verdicts", agreement.agreeing)
      line.put("mean_absolute_error_ms", agreement.meanAbsoluteError)
      line.put("mean_error_ms", agreement.meanError)
      line.put("respiration_brpm", agreement.respirationRate)
      line.put("verdict_evidence") { all in
        for verdict in Verdict.allCases {
          guard let counts = agreement.evidence[verdict] else { continue }
          all.put(verdict.rawValue) { line in
            for evidence in BeatEvidence.allCases {
              line.put(evidence.rawValue, counts[evidence] ?? 0)
            }
          }
        }
      }
    }
  }
}
