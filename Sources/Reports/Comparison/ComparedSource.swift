package import HeartRate

/// The data of one side of a comparison, by name.
package enum ComparedSource: Equatable, Sendable {
  /// A file, or a stored session if there is no such file.
  case named(String, SessionSpan?)
  /// A stored session, by the prefix of its ID.
  case session(String, SessionSpan?)
  /// All sessions of the profile in a range of times.
  case history(Range<WallTime>)
}
