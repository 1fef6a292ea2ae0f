import History
import Localization
import Platform
import Reports
import Stress
import Terminal

extension HistoryReport {
  /// The stored morning readings as a table.
  /// - Parameters:
  ///   - readings: the newest last.
  ///   - width: columns of the terminal, if lines are limited.
  func text(_ readings: [StoredMorning], width: Int?) -> String {
    guard !readings.isEmpty else { return nothing + "\n" }
    let (beats, length) = (style.localized("beats"), style.localized("length"))
    var table = TextTable([
      (style.localized("session"), .left), (style.localized("time"), .left),
      (style.localized("posture"), .left),
      (length, .right), ("RMSSD", .right), ("ln RMSSD", .right), (style.localized("HR"), .right),
      (style.localized("confidence"), .right), (beats, .right), (style.localized("counted"), .left),
    ])
    for reading in readings { table.append(row(reading)) }
    let expendable = [beats, length, "ln RMSSD", style.localized("session")]
    let lines = table.lines(style, width: width, expendable: expendable)
    return lines.map { $0 + "\n" }.joined()
  }

  private func row(_ reading: StoredMorning) -> [String] {
    [
      String(reading.session.text.prefix(10)), String(LocalZone.text(reading.time).prefix(16)),
      style.localized(reading.posture.name), clockText(seconds: reading.seconds),
      TextTable.number(reading.rmssd, 1), TextTable.number(reading.lnRMSSD, 2),
      TextTable.number(reading.heartRate, 0),
      TextTable.number(reading.confidence, 2), "\(reading.normalBeats)",
      counted(reading.counts, reading.absence, isSimulated: reading.isSimulated),
    ]
  }

  private var nothing: String {
    let command = isFiltered ? "stressmon history --morning" : "stressmon morning"
    return isFiltered
      ? style.localized(
        "No morning reading of '\(profile.printable)' matches. List the latest with: \(command)")
      : style.localized(
        "No morning reading of '\(profile.printable)' is stored in \(path) yet. Take one with: \(command)")
  }
}
