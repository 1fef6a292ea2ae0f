public import HRV
import HeartRate
import JSONLines
package import Localization

/// DFA alpha1 in the windows of a session, and the heart rate at which it falls to 0.75.
package struct AlphaReport {
  /// Length of a window (Rogers et al. 2021).
  package static let window = Duration.seconds(120)
  /// Default time from one window to the next.
  package static let step = Duration.seconds(30)

  package let windows: AnalysisWindows
  package let threshold: Result<AlphaThreshold, AlphaThreshold.Reason>

  package init(_ windows: AnalysisWindows) {
    self.windows = windows
    threshold = Result { () throws(AlphaThreshold.Reason) in
      try AlphaThreshold(windows.windows.compactMap(\.alphaWindow))
    }
  }

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("file", windows.analysis.file)
      windows.analysis.provenance.put(into: &line)
      let found = try? threshold.get()
      line.put("threshold_hr_bpm", found?.heartRate)
      line.put("slope_per_bpm", found?.slope)
      line.put("r_squared", found?.rSquared)
      line.put("regression_windows", found?.windows)
      if case .failure(let reason) = threshold { line.put("threshold_absent", reason.description) }
      line.put("windows", objects: windows.windows) { line, window in
        line.put("start_s", seconds: window.start)
        line.put("duration_s", seconds: SessionTime(ticks: window.end.ticks - window.start.ticks))
        line.put(.dfaAlpha1, window.metrics[.dfaAlpha1])
        line.put(.meanHeartRate, window.meanHeartRate)
        line.put(.artefacts, window.artefactFraction.map { $0 * 100 })
      }
    }
    return line.bytes
  }
}

extension AnalysisWindows.Window {
  fileprivate var alphaWindow: AlphaThreshold.Window? {
    guard let alpha1 = metrics[.dfaAlpha1], let meanHeartRate else { return nil }
    return AlphaThreshold.Window(
      heartRate: meanHeartRate, alpha1: alpha1, artefactFraction: artefactFraction ?? 0)
  }
}

extension AlphaThreshold.Reason: CustomStringConvertible {
  /// Why there is no threshold.
  package var phrase: Phrase {
    switch self {
    case .tooFewWindows(let found, let needed):
      Phrase("\(found) windows with alpha1 from 0.5 to 1.0 and at most 5 % artefacts, \(needed) needed")
    case .notFalling: Phrase("alpha1 does not fall with the heart rate")
    case .notCrossed: Phrase("alpha1 does not cross 0.75 within the measured heart rates")
    }
  }

  /// ``phrase`` in English.
  public var description: String { Language.english.text(phrase) }
}
