public import HeartRate

/// What a person wrote about a time: how they felt, what was going on, in their words.
public struct JournalEntry: Equatable, Sendable, Identifiable {
  /// Names it for good; 0 until it is stored.
  public var id: Int64 = 0
  /// The person.
  public var profile: String
  public var time: WallTime
  /// Offset of the clock where it was written, in seconds east of UTC.
  public var utcOffset: Int
  /// The session that it is about, where it is about one. It goes when that is deleted.
  public var session: SessionID?
  public var mood: Mood?
  /// What was going on, by name, in alphabetical order.
  public var triggers: [String]
  public var note: String?

  public init(
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
  public var isEmpty: Bool { mood == nil && triggers.isEmpty && note == nil }
}

/// How a person feels, from 1 to 10: the higher, the calmer.
public struct Mood: Hashable, Comparable, Sendable {
  public let rating: Int

  /// Nil unless the rating is from 1 to 10.
  public init?(_ rating: Int) {
    guard (1...10).contains(rating) else { return nil }
    self.rating = rating
  }

  /// Two ratings to each word.
  public var word: String {
    ["very anxious", "anxious", "neutral", "calm", "very calm"][(rating - 1) / 2]
  }

  public static func < (a: Mood, b: Mood) -> Bool { a.rating < b.rating }
}
