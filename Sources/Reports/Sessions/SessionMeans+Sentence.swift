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
    let minutes = Int((length / 60).rounded())
    return Phrase(
      "\(minutes) minute with stress of \(mean) on average: \(word).",
      "\(minutes) minutes with stress of \(mean) on average: \(word).", count: minutes)
  }
}
