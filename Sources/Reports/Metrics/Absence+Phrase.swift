package import HRV
package import Localization

extension Absence {
  /// Why a metric has no value, as `description` states it in English.
  package var phrase: Phrase {
    switch self {
    case .tooFewBeats(let found, let needed): Phrase("\(found) normal beats, \(needed) needed")
    case .tooShort(let found, let needed):
      Phrase("longest stretch without a gap \(Self.tenths(found)) s, \(Self.tenths(needed)) s needed")
    case .tooSparse(let found, let needed):
      Phrase("normal beats cover \(Self.tenths(100 * found)) %, \(Self.tenths(100 * needed)) % needed")
    case .tooFewPeriods(let found, let needed): Phrase("\(found) periods of 5 min, \(needed) needed")
    case .unchanging: Phrase("all intervals are equal")
    case .undefined: Phrase("not defined for these intervals")
    case .noMatches: Phrase("no two patterns match")
    case .noPeak: Phrase("no peak in the respiratory band")
    case .weakPeak(let found, let needed):
      Phrase(
        "the peak holds \(Self.tenths(100 * found)) % of its band, \(Self.tenths(100 * needed)) % needed")
    case .harmonic(let rate):
      Phrase("the peak may be a harmonic of breathing at \(Self.tenths(rate)) a minute")
    }
  }
}
