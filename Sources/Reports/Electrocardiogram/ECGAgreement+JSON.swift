import HRV
package import JSONLines

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
      line.put("verdict_evidence") { all in
        for verdict in Verdict.allCases {
          guard let counts = agreement.evidence[verdict] else { continue }
          all.put(verdict.rawValue) { line in
            for evidence in ECGAgreement.Evidence.allCases {
              line.put(evidence.rawValue, counts[evidence] ?? 0)
            }
          }
        }
      }
    }
  }
}
