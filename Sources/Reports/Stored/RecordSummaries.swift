package import History
import LiveSession
package import Localization
import Stress

extension JournalEntry {
  /// The entry on one line: `journal 3: mood 6, neutral; coffee, work; "before the meeting"`.
  package var summary: Phrase { Phrase("journal \(id): \(parts, separator: "; ")") }

  private var parts: [Phrase] {
    let (names, quotedNote) = (triggers.joined(separator: ", "), note.map { "\"\($0)\"" })
    return [
      moodPhrase, triggers.isEmpty ? nil : Phrase(untranslated: names),
      quotedNote.map(Phrase.init(untranslated:)),
    ].compactMap(\.self)
  }

  /// The entry without its number: `mood 6, neutral; coffee, work; "before the meeting"`.
  package var spoken: Phrase {
    let separator = "; "
    return Phrase(joining: parts, separator: separator)
  }

  /// Whether the note or a trigger contains `text`, regardless of case.
  package func contains(_ text: String) -> Bool {
    (triggers + [note ?? ""]).contains { $0.lowercased().contains(text.lowercased()) }
  }

  /// `mood 6, neutral`, if the entry has a mood.
  package var moodPhrase: Phrase? { mood.map { Phrase("mood \($0.rating), \($0.name)") } }
}

extension StoredMorning {
  /// The reading on one line: `morning, lying: HRV 44 ms, 58 bpm`, with the reason if it does not count.
  package var summary: Phrase {
    isSimulated && counts ? Phrase("\(values) (simulated)") : values
  }

  private var values: Phrase {
    let (rmssd, rate) = (rmssd?.fixed(0) ?? "-", heartRate?.fixed(0) ?? "-")
    guard !counts else { return Phrase("morning, \(posture.name): HRV \(rmssd) ms, \(rate) bpm") }
    return Phrase("morning, \(posture.name): HRV \(rmssd) ms, \(rate) bpm (\(absence))")
  }

  /// Why the reading does not count.
  package var absence: Phrase {
    if isStandingPart { return Phrase("standing part") }
    if let refusal { return refusal.phrase }
    return isSimulated
      ? Phrase("simulated, or not the first of its day") : Phrase("not the first of its day")
  }
}

extension StoredBreathing {
  /// The exercise on one line: `breathing 4-7-8: 4 of 4 cycles; HRV 41 ms before, 52 ms after, no clear change`.
  package var summary: Phrase {
    let values = Phrase("breathing \(pattern): \([done] + outcome, separator: "; ")")
    return isSimulated ? Phrase("\(values) (simulated)") : values
  }

  /// `4 of 4 cycles`
  package var done: Phrase {
    Phrase(
      "\(cycles) of \(plannedCycles) cycle", "\(cycles) of \(plannedCycles) cycles", count: plannedCycles)
  }

  /// HRV in the rests and the resonance, or `no heartbeat`.
  package var outcome: [Phrase] {
    let resonance = resonance.map { Phrase("resonance \($0.value.fixed(2)) breaths/min") }
    let found = [rests, resonance].compactMap(\.self)
    return found.isEmpty ? [Phrase("no heartbeat")] : found
  }

  /// RMSSD of both rests, else RMSSD and heart rate during the exercise, if anything was measured.
  private var rests: Phrase? {
    if before != Part() || after != Part() {
      let (before, after) = (Self.text(before.rmssd), Self.text(after.rmssd))
      return Phrase("HRV \(before) ms before, \(after) ms after, \(verdict)")
    }
    let rmssd = Self.text(during.rmssd)
    return during.heartRate.map { Phrase("HRV \(rmssd) ms, \($0.fixed(0)) bpm during the exercise") }
  }

  private var verdict: Phrase {
    switch changed {
    case .yes where (after.rmssd ?? 0) > (before.rmssd ?? 0): Phrase("a clear rise")
    case .yes: Phrase("a clear fall")
    case .no: Phrase("no clear change")
    case .cannotTell: Phrase("too few data to compare them")
    }
  }

  private static func text(_ value: Double?) -> String { value?.fixed(0) ?? "-" }
}

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
  /// The means of HRV and heart rate in a sentence.
  /// - Parameters:
  ///   - hrv: in ms.
  ///   - heartRate: in bpm.
  package static func averages(hrv: String, heartRate: String) -> Phrase {
    Phrase("Your HRV was \(hrv) ms and your heart rate \(heartRate) bpm on average.")
  }

  /// `58 s`, `45 min` or `6 h 40 min`.
  package static func length(_ seconds: Double) -> Phrase {
    let (seconds, minutes) = (Int(seconds.rounded()), Int((seconds / 60).rounded()))
    if seconds < 120 { return Phrase("\(seconds) s") }
    if minutes < 120 { return Phrase("\(minutes) min") }
    return Phrase("\(minutes / 60) h \(minutes % 60) min")
  }
}
