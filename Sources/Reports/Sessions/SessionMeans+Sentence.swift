package import History
import LiveSession
package import Localization
import Stress

extension SessionMeans {
  /// The result of the session in one sentence: `A reading: stress 7, relaxed.`
  /// - Parameter length: the length of the session in seconds.
  package func sentence(length: Double) -> Phrase {
    guard let stress else {
      return Phrase("No stress value in this session: the strap sent too few good beats.")
    }
    let (mean, word) = (stress.fixed(0), StressCategory(score: stress).lowercasedName)
    guard !isReading else { return Phrase("A reading: stress \(mean), \(word).") }
    return Phrase("\(Phrase.length(length)) with stress of \(mean) on average: \(word).")
  }
}

extension Phrase {
  /// `58 s`, `45 min` or `6 h 40 min`.
  package static func length(_ seconds: Double) -> Phrase {
    let (seconds, minutes) = (Int(seconds.rounded()), Int((seconds / 60).rounded()))
    if seconds < 120 { return Phrase("\(seconds) s") }
    if minutes < 120 { return Phrase("\(minutes) min") }
    return Phrase("\(minutes / 60) h \(minutes % 60) min")
  }
}
