import History
import Localization
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
