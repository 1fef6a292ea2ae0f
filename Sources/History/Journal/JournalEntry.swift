package import HeartRate

/// What a person wrote about a time: how they felt, what was going on, in their words.
package struct JournalEntry: Equatable, Sendable, Identifiable {
  /// Names it for good; 0 until it is stored.
  package var id: Int64 = 0
  /// The person.
  package var profile: String
  package var time: WallTime
  /// Offset of the clock where it was written, in seconds east of UTC.
  package var utcOffset: Int
  /// The session that it is about, where it is about one. It goes when that is deleted.
  package var session: SessionID?
  package var mood: Mood?
  /// What was going on, by name, in alphabetical order.
  package var triggers: [String]
  package var note: String?

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

  /// Whether it says anything.
  package var isEmpty: Bool { mood == nil && triggers.isEmpty && note == nil }
}

/// How a person feels, from 1 to 10: the higher, the calmer.
package struct Mood: Hashable, Comparable, Sendable {
  package let rating: Int

  /// Nil unless the rating is from 1 to 10.
  package init?(_ rating: Int) {
    guard (1...10).contains(rating) else { return nil }
    self.rating = rating
  }

  /// Two ratings to each word.
  package var word: String {
    ["very anxious", "anxious", "neutral", "calm", "very calm"][(rating - 1) / 2]
  }

  package static func < (a: Mood, b: Mood) -> Bool { a.rating < b.rating }
}
