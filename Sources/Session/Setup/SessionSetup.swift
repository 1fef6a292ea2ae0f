package import HeartRate
package import History
package import LiveFeed
package import LiveSession
package import Platform
package import Stress

/// What a session measures and where it is stored.
package struct SessionSetup: Sendable {
  /// Measures the result of a session, and refers to the session in it if the session is stored. Some sessions have none, for
  /// example an exercise that ended before its breathing began.
  package typealias MeasureResult =
    @Sendable (_ plan: SessionPlan, _ isStored: Bool) -> SessionResult?

  /// Starts an exercise; false if one is running.
  package typealias StartExercise = @Sendable () -> Bool

  package var profile: String
  package var source: SessionSource
  package var settings: StressEngine.Settings
  /// The history that baseline, normal range and straps are read from, and whose folder contains the locks. Also set for a
  /// session that is not stored.
  package var history: StoreLocation?
  /// Whether the session is stored in ``history``. Its results do not depend on this.
  package var isStored = true
  /// Session time between stored measurements.
  package var storeInterval = Duration.seconds(10)
  package var recording: RecordingTarget?
  /// Length in session time. By default, the session lasts until it is interrupted.
  package var duration: Duration?
  /// Expected length in session time, if known without ``duration``. Used to date a simulated session.
  package var expectedLength: Duration?
  /// Start of a simulated session that belongs to a series. The default is the current time less the head start.
  package var started: WallTime?
  /// The reading that the session takes. Its result is then the only measurement that is stored.
  package var reading: Reading?
  /// Whether a scan that finds no strap leaves the history unchanged.
  package var isStoredWithDataOnly = false
  /// Whether a session that ends after its duration without data has failed.
  package var requiresData = false
  /// Measures the result of the session at its end, such as that of an exercise.
  package var result: MeasureResult?
  /// Inserts marks and guides exercises.
  package var controller: SessionController?
  package var serviceManager = ServiceManager.current
  /// Called once per session when the battery of the strap is low, on the thread of the events; must not wait.
  package var warnOfLowBattery: (@Sendable (BatteryLevel) -> Void)?
  /// What the session reports besides its values. By default, nothing.
  package var notices = NoticeSettings()
  /// Called with each notice of a session, on the thread of the events; must not wait.
  package var announce: (@Sendable (SessionNotice, SessionMember) -> Void)?
  /// Where the session is published to other programs. Not published by default.
  package var feed: FeedDirectory?

  /// Creates a sink that serves the session to other programs in addition to ``feed``.
  package var serve: (@Sendable (SessionMember, SessionMarker?) -> any SessionSink)?
  /// Starts the exercise of the live screen. Absent if the session has no such screen.
  package var startExercise: StartExercise?

  package init(profile: String, source: SessionSource, settings: StressEngine.Settings) {
    (self.profile, self.source, self.settings) = (profile, source, settings)
  }

  /// The history that the session is stored in, if it is stored.
  package var store: StoreLocation? { isStored ? history : nil }

  /// Time limit of the run. A simulated strap and a file need no limit, because their sessions end at a session time.
  var limit: Duration? { source.waitsForReaders ? nil : duration }
}
