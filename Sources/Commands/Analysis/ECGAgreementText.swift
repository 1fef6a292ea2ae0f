import HRV
import Localization
import Reports
import Terminal

/// The agreement of beats with the electrocardiogram as text.
struct ECGAgreementText {
  let agreement: ECGAgreement

  var text: String { ([heading] + table.lines() + [verdicts, errors]).map { $0 + "\n" }.joined() }

  private var heading: String {
    """
    electrocardiogram of \(clockText(seconds: agreement.seconds)): \(counted(agreement.peaks, "R peak")), \
    \(agreement.missed) without a beat; \(counted(agreement.beats, "beat")), \(agreement.extra) without an R peak
    """
  }

  private var table: TextTable {
    let columns = ["R-R equal", "R peak inside", "no R peak", "R-R differs"]
    var table = TextTable([("verdict", .left)] + columns.map { ($0, .right) })
    for verdict in Verdict.allCases {
      guard let counts = agreement.evidence[verdict] else { continue }
      table.append([verdict.rawValue] + ECGAgreement.Evidence.allCases.map { "\(counts[$0] ?? 0)" })
    }
    return table
  }

  private var verdicts: String {
    let percent = 100 * Double(agreement.agreeing) / Double(max(agreement.beats, 1))
    return "verdicts that agree: \(agreement.agreeing) of \(agreement.beats) (\(percent.fixed(1)) %)"
  }

  private var errors: String {
    guard let absolute = agreement.meanAbsoluteError, let mean = agreement.meanError else {
      return "no successive beats to compare"
    }
    return "RR minus R-R: mean absolute error \(absolute.fixed(1)) ms, mean \(mean.fixed(1)) ms"
  }
}
