import History
import Localization
import Reports
import Stress
import Terminal

extension JournalEntry {
  /// The entry on one line: `journal 3: mood 6, neutral; coffee, work; "before the meeting"`.
  func summary(_ style: TerminalStyle = .plain) -> String {
    let mood = mood.map { style.localized("mood \($0.rating), \($0.name)") }
    let names = triggers.isEmpty ? nil : triggers.joined(separator: ", ")
    let parts = [mood, names, note.map { "\"\($0)\"" }].compactMap(\.self)
    let content = parts.joined(separator: "; ")
    return style.localized("journal \(id): \(content)")
  }
}

extension StoredMorning {
  /// The reading on one line: `morning, lying: RMSSD 43.6 ms, 58 bpm`, with the reason if it does not count.
  func summary(_ style: TerminalStyle = .plain) -> String {
    let (rmssd, rate) = (rmssd?.fixed(1) ?? "-", heartRate?.fixed(0) ?? "-")
    let values = style.localized("morning, \(style.localized(posture.name)): RMSSD \(rmssd) ms, \(rate) bpm")
    guard !counts else { return values }
    return values + " (" + style.localized(absence) + ")"
  }

  /// Why the reading does not count.
  var absence: Phrase {
    if isStandingPart { return Phrase("standing part") }
    if let refusal { return refusal.phrase }
    return isSimulated
      ? Phrase("simulated, or not the first of its day") : Phrase("not the first of its day")
  }
}

extension StoredBreathing {
  /// The exercise on one line: `breathing 4-7-8: 4 of 4 cycles; RMSSD 41.0 > 52.3 ms, changed: no`.
  func summary(_ style: TerminalStyle = .plain) -> String {
    let resonance = resonance.map { style.localized("resonance \($0.value.fixed(2)) breaths/min") }
    let outcome = [rests(style), resonance].compactMap(\.self)
    let parts = [done(style)] + (outcome.isEmpty ? [style.localized("no heartbeat")] : outcome)
    let content = parts.joined(separator: "; ")
    return style.localized("breathing \(pattern): \(content)")
  }

  private func done(_ style: TerminalStyle) -> String {
    style.localized(
      "\(cycles) of \(plannedCycles) cycle", "\(cycles) of \(plannedCycles) cycles", count: plannedCycles)
  }

  /// RMSSD of both rests; without rests, RMSSD and heart rate during the exercise. Nil if nothing was measured.
  private func rests(_ style: TerminalStyle) -> String? {
    if before != Part() || after != Part() {
      let (before, after) = (Self.text(before.rmssd), Self.text(after.rmssd))
      return style.localized("RMSSD \(before) > \(after) ms, changed: \(changed.word)")
    }
    let rmssd = Self.text(during.rmssd)
    return during.heartRate.map {
      style.localized("RMSSD \(rmssd) ms, \($0.fixed(0)) bpm during the exercise")
    }
  }

  private static func text(_ value: Double?) -> String { value?.fixed(1) ?? "-" }
}
