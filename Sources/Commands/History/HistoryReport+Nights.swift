import History
import Localization
import Platform
import Reports
import Stress
import Terminal

extension HistoryReport {
  /// The stored nights as a table.
  /// - Parameters:
  ///   - nights: the newest last.
  ///   - width: columns of the terminal, if lines are limited.
  func text(_ nights: [StoredNight], width: Int?) -> String {
    guard !nights.isEmpty else { return nothing + "\n" }
    let (lowest, coverage) = (style.localized("lowest HR"), style.localized("coverage"))
    var table = TextTable([
      (style.localized("session"), .left), (style.localized("start"), .left), (style.localized("end"), .left),
      (style.localized("length"), .right), ("RMSSD", .right), ("ln RMSSD", .right),
      (style.localized("HR"), .right), (lowest, .right), (coverage, .right),
      (style.localized("confidence"), .right), (style.localized("counted"), .left),
    ])
    for night in nights { table.append(row(night)) }
    let expendable = [
      coverage, "ln RMSSD", style.localized("confidence"), lowest, style.localized("session"),
    ]
    let lines = table.lines(style, width: width, expendable: expendable)
    return lines.map { $0 + "\n" }.joined()
  }

  private func row(_ night: StoredNight) -> [String] {
    [
      String(night.session.text.prefix(10)), String(LocalZone.text(night.time).prefix(16)),
      String(LocalZone.text(night.end).dropFirst(11).prefix(5)), style.localized(.length(night.seconds)),
      TextTable.number(night.rmssd, 1), TextTable.number(night.lnRMSSD, 2),
      TextTable.number(night.heartRate, 0),
      TextTable.number(night.lowestHeartRate, 0), TextTable.number(night.coverage, 2),
      TextTable.number(night.confidence, 2),
      counted(night.counts, night.absence, isSimulated: night.isSimulated),
    ]
  }

  private var nothing: String {
    isFiltered
      ? style.localized(
        "No night of '\(profile.printable)' matches. List the latest with: \("stressmon history --night")")
      : style.localized(
        "No night of '\(profile.printable)' is stored in \(path) yet. Record one with: \("stressmon night")")
  }
}
