package import HeartRate
import Platform

/// A journal entry: mood, triggers and a note about a time.
package struct JournalEntry: Equatable, Sendable, Identifiable {
  /// Its permanent number; 0 until it is stored.
  package var id: Int64 = 0
  /// Name of the person.
  package var profile: String
  package var time: WallTime
  /// Local offset from UTC when the entry was written, in seconds east of UTC.
  package var utcOffset: Int
  /// The session to which the entry refers. The entry is deleted with it.
  package var session: SessionID?
  package var mood: Mood?
  /// The names of the triggers, in alphabetical order.
  package var triggers: [String]
  package var note: String?

  /// Limit of a note in characters (Unicode code points), for every way to enter one.
  package static let longestNote = 10_000

  /// A typed note as it is stored. An empty note is not stored.
  package static func note(_ text: String) -> String? {
    let note = text.asPlainNote
    return note.isEmpty ? nil : note
  }

  /// Whether a note exceeds ``longestNote``.
  package static func isTooLong(note: String) -> Bool { note.unicodeScalars.count > longestNote }

  package init(
    profile: String, time: WallTime, utcOffset: Int, session: SessionID? = nil, mood: Mood? = nil,
    triggers: [String] = [], note: String? = nil
  ) {
    self.profile = profile
    self.time = time
    self.utcOffset = utcOffset
    self.session = session
    self.mood = mood
    self.triggers = triggers
    self.note = note
  }

  /// Whether it has neither a mood nor a trigger nor a note.
  package var isEmpty: Bool { mood == nil && triggers.isEmpty && note == nil }
}

/// A mood from 1 (very anxious) to 10 (very calm).
package struct Mood: Hashable, Comparable, Sendable {
  package let rating: Int

  /// Fails unless the rating is 1 to 10.
  package init?(_ rating: Int) {
    guard (1...10).contains(rating) else { return nil }
    self.rating = rating
  }

  /// The word for the rating; two ratings share a word.
  package var word: String {
    ["very anxious", "anxious", "neutral", "calm", "very calm"][(rating - 1) / 2]
  }

  package static func < (a: Mood, b: Mood) -> Bool { a.rating < b.rating }
}
