package import HeartRate
package import History
package import Platform
package import Strap
package import Stress

/// Why a session could not start, failed, or is incomplete.
package enum SessionError: Error {
  /// Two sessions of one run have the same strap; `profile` is that of the first.
  case duplicateStrap(StrapIdentity, profile: String)
  /// The strap could not be found or connected. `remembered` are the straps of the profile.
  case strap(StrapError, remembered: [RememberedStrap])
  /// The lines of another program cannot be used.
  case source(SourceError)
  /// The session ended after its `duration` without a notification.
  case noData(after: Duration, LinkChange?)
  /// The last events are missing from the recording.
  case recordingIncomplete(FileError)
  /// Events are missing from the history. `savedTo` is the recording that contains them, unless they are lost.
  case notStored(HistoryError, events: Int, savedTo: String?)
  /// The events are in the history, the result that was measured from them is not.
  case resultNotStored(HistoryError)
  /// A reading received no RR intervals within `after`.
  case noReading(after: Duration, SensorClass?)
  /// A reading takes at least as long as the interval between two readings.
  case readingTooLong(Duration, interval: Duration)
}
