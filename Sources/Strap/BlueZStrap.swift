import DBus
package import HeartRate
package import Logging

/// A heart-rate strap that is connected by BlueZ.
///
/// A session begins with a search. Before the first connection it ends with a ``StrapError`` when the search time is over
/// or a retry cannot succeed. Afterwards it reconnects without limit after the loss of the link, the adapter, bluetoothd or
/// the bus. Events are buffered without limit, and none is dropped.
///
/// Requested sensor streams begin after the heart rate and are stopped when the session ends. Their failures do not affect the
/// heart rate.
///
/// A link that existed before the session is used and stays unchanged; a link that the session requested ends with it.
/// Exception: a link that carries no data even after a second subscription is renewed.
package struct BlueZStrap: HeartRateSource {
  package typealias Events = StrapEvents

  /// The strap to search for.
  package var selection: StrapSelection
  /// `hci0` or the adapter's address. By default, the first adapter that is on.
  package var adapter: String?
  /// The maximum duration of the search, if it is limited. The default is 30 s.
  package var searchTime: Duration? {
    get { timing.search }
    set { timing.search = newValue }
  }
  /// Shared by the straps that are used at the same time.
  package var radio: RadioArbiter
  /// Called once per session, soon after the strap is connected.
  package var onDetails: @Sendable (StrapDetails) -> Void
  /// The sensor streams to start, if the strap provides them; PPI only if it sends no RR intervals, or
  /// if ``replacement`` requests it.
  package var streams: [SensorStream] = []
  /// Requests PPI instead of smoothed RR intervals.
  package let replacement = IntervalReplacement()
  /// Whether the electrocardiogram verifies the beats of the session.
  package var verifiesBeats = false
  var sensorTiming = SensorTiming()
  /// The address of the bus. The default is the system bus.
  var busAddress: String?
  var timing = LinkTiming()
  private let logger: Logger

  package init(
    _ selection: StrapSelection, adapter: String? = nil, searchTime: Duration? = .seconds(30),
    radio: RadioArbiter = RadioArbiter(), logger: Logger = Logger(label: "stressmon.strap"),
    onDetails: @escaping @Sendable (StrapDetails) -> Void = { _ in }
  ) {
    self.selection = selection
    self.adapter = adapter
    self.radio = radio
    self.logger = logger
    self.onDetails = onDetails
    timing.search = searchTime
  }

  /// Runs `body` with the events of one session.
  ///
  /// `body` runs on the bus thread, where the notifications arrive, unless the caller is isolated to an actor; this avoids a
  /// context switch per notification. While `body` executes, no signal is read: none is lost, but those that arrive
  /// meanwhile get a late time stamp. Move work of more than a few milliseconds to another task.
  ///
  /// - Throws: what `body` throws. The events throw a ``StrapError`` if the first connection fails.
  package func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    let queue = StrapEventQueue()
    let session = LinkSession(
      machine: LinkStateMachine(
        selection: selection, adapter: adapter, timing: timing, seed: .random(in: 0 ... .max)),
      events: queue,
      LinkSession.Configuration(
        adapter: adapter, busAddress: busAddress, radio: radio, logger: logger, onDetails: onDetails,
        streams: streams, verifiesBeats: verifiesBeats, sensorTiming: sensorTiming))
    replacement.onRequest { [weak session] in
      Task { await session?.replaceIntervals() }
    }
    await session.start()
    do {
      let result = try await withTaskExecutorPreference(BusExecutor.tasks) {
        try await body(Events(queue: queue))
      }
      await end(session)
      return result
    } catch {
      await end(session)
      throw error
    }
  }

  /// Runs in a task of its own, since the calls would fail at once in a cancelled task.
  private func end(_ session: LinkSession) async {
    await Task { await session.end() }.value
  }
}
