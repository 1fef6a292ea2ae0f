import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Terminal

/// The results of an import, one line per session.
struct ImportReport {
  let isJSON: Bool
  /// Whether a session was stored whose stress was computed with the baseline at the time of the import.
  private(set) var hasScores = false

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// States how to compute the stress independently of the order of the imports.
  func printOrderNotice() {
    printDiagnostic(
      "stressmon: "
        + localized(
          """
          stress was computed with the baseline before each file; to compute it with the baseline of each session's day, in \
          any order of import, type: \("stressmon baseline recompute")
          """))
  }

  mutating func print(_ result: SessionImporter.Result) throws {
    if case .stored = result.outcome, !["recording", "jsonl"].contains(result.session.format) {
      hasScores = true
    }
    let output = StandardOutput()
    if isJSON { try output.write(json(result)) } else { try output.line(text(result)) }
  }

  /// `rr.txt: stored for me as 01K..., 2026-06-01 07:30:00, 1:10 long, 80 beats, 7 measurements`
  private func text(_ result: SessionImporter.Result) -> String {
    [outcome(result), result.morning?.text, result.night?.text].compactMap(\.self).joined(separator: "; ")
  }

  private func outcome(_ result: SessionImporter.Result) -> String {
    let file = result.file.printable
    switch result.outcome {
    case .known(let id): return localized("\(file): in the history already, as \(id.text)")
    case .stored(let measurements):
      let id = result.session.info.id
      let count = Phrase("\(measurements) measurement", "\(measurements) measurements", count: measurements)
      return localized("\(file): stored for \(profile(result)) as \(id.text), \(content(result)), \(count)")
    case nil: return localized("\(file): would be stored for \(profile(result)), \(content(result))")
    }
  }

  private func profile(_ result: SessionImporter.Result) -> String { result.session.info.profile.printable }

  private func content(_ result: SessionImporter.Result) -> Phrase {
    let length = clockText(seconds: (result.session.events.last?.at ?? .zero).seconds)
    let beats = Phrase("\(result.beats) beat", "\(result.beats) beats", count: result.beats)
    let content = Phrase("\(LocalZone.text(result.session.info.started)), \(length) long, \(beats)")
    guard result.skipped > 0 else { return content }
    return Phrase(
      "\(content) (\(result.skipped) value left out)", "\(content) (\(result.skipped) values left out)",
      count: result.skipped)
  }

  private func json(_ result: SessionImporter.Result) -> [UInt8] {
    let info = result.session.info
    var line = JSONLine()
    line.line {
      $0.put("file", result.file)
      $0.put("format", result.session.format)
      switch result.outcome {
      case .stored(let measurements):
        $0.put("outcome", "stored")
        $0.put("session", info.id.text)
        $0.put("measurements", measurements)
      case .known(let id):
        $0.put("outcome", "known")
        $0.put("session", id.text)
      case nil: $0.put("outcome", "would-store")
      }
      $0.put("profile", info.profile)
      $0.put("time", info.started.rfc3339)
      $0.put("zone", info.zone)
      $0.put("duration_s", seconds: result.session.events.last?.at ?? .zero)
      $0.put("source", info.source.rawValue)
      $0.put("strap", info.strap?.address)
      $0.put("beats", result.beats)
      if result.skipped > 0 { $0.put("skipped", result.skipped) }
      result.morning?.put(into: &$0)
      result.night?.put(into: &$0)
    }
    return line.bytes
  }
}
