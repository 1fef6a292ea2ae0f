import History
import Localization

extension JournalEntry {
  /// The entry on one line: `journal 3: mood 6, neutral; coffee, work; "before the meeting"`.
  var summary: String {
    let mood = mood.map { "mood \($0.rating), \($0.word)" }
    let names = triggers.isEmpty ? nil : triggers.joined(separator: ", ")
    let parts = [mood, names, note.map { "\"\($0)\"" }].compactMap(\.self)
    return "journal \(id): \(parts.joined(separator: "; "))"
  }
}

extension StoredBreathing {
  /// The exercise on one line: `breathing 4-7-8: 4 of 4 cycles; RMSSD 41.0 > 52.3 ms, changed: no`.
  var summary: String {
    let outcome = [rests, resonance.map { "resonance \($0.value.fixed(2)) breaths/min" }].compactMap(\.self)
    let parts =
      ["\(cycles) of \(counted(plannedCycles, "cycle"))"] + (outcome.isEmpty ? ["no heartbeat"] : outcome)
    return "breathing \(pattern): \(parts.joined(separator: "; "))"
  }

  /// RMSSD of both rests; without rests, RMSSD and heart rate during the exercise. Nil if nothing was measured.
  private var rests: String? {
    if before != Part() || after != Part() {
      return "RMSSD \(Self.text(before.rmssd)) > \(Self.text(after.rmssd)) ms, changed: \(changed.rawValue)"
    }
    return during.heartRate.map { "RMSSD \(Self.text(during.rmssd)) ms, \($0.fixed(0)) bpm during it" }
  }

  private static func text(_ value: Double?) -> String { value?.fixed(1) ?? "-" }
}
