import HeartRate
package import History
package import JSONLines
package import Localization
import Platform
package import Stress

extension StressPrompt.Answer {
  /// The label of a button.
  package var label: Phrase {
    switch self {
    case .yes: Phrase("Yes, because ...")
    case .no: Phrase("No")
    case .breathe: Phrase("Breathe")
    case .notToday: Phrase("Not today")
    }
  }
}

extension StoredPrompt {
  /// The journal entry of the answer "yes": what was measured, with the cause if it is known.
  /// - Parameter note: Precedes the measured values, which are left out if the text would be too long.
  package func journalEntry(triggers: [String] = [], note: String? = nil) -> JournalEntry {
    let (rmssd, low, high) = (
      measurement.rmssd.fixed(0), measurement.normal.lowerBound.fixed(0),
      measurement.normal.upperBound.fixed(0)
    )
    let place = "prompt \(id), RMSSD \(rmssd) ms, normal \(low)-\(high) ms"
    let text = note.map { "\($0) (\(place))" } ?? place
    return JournalEntry(
      profile: profile, time: measurement.time,
      utcOffset: LocalCalendar.system.utcOffset(measurement.time), session: session, triggers: triggers,
      note: JournalEntry.isTooLong(note: text) ? note : text)
  }

  /// Adds the members of the prompt.
  package func put(into line: inout JSONLine) {
    line.put("type", "prompt")
    line.put("id", id)
    line.put("time", measurement.time.rfc3339)
    line.put("profile", profile)
    line.put("session", session.text)
    line.put("stress", measurement.stress)
    line.put("confidence", measurement.confidence)
    line.put("rmssd_ms", measurement.rmssd)
    line.put("normal_low_ms", measurement.normal.lowerBound)
    line.put("normal_high_ms", measurement.normal.upperBound)
    line.put("answer", answer?.rawValue)
    line.put("answered", answered?.rfc3339)
    line.put("entry", entry)
  }
}

extension PromptAgreement {
  /// How often the person agreed.
  package var sentence: Phrase {
    answered == 0
      ? Phrase("No prompt has been answered with yes or no yet.")
      : Phrase("You agreed \(agreed) of \(answered).")
  }
}
