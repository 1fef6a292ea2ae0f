public import HeartRate
public import Logging

/// A strap over the air, by way of BlueZ.
///
/// The session begins with a search. Before the first connection it gives up, with a ``StrapError``, when the
/// search time is over or when trying again would change nothing; from then on it reconnects for ever, whatever
/// becomes of the link, the adapter, bluetoothd or the bus. The events are buffered without bound: none is dropped.
///
/// A link that existed before the session is used and left as it was; one that the session made ends with it.
/// The one exception is a link that carries no data even after a second subscription: it is made anew.
public struct BlueZStrap: HeartRateSource {
  public typealias Events = StrapEvents

  /// Which strap.
  public var selection: StrapSelection
  /// `hci0` or the adapter's address; nil for the first that is on.
  public var adapter: String?
  /// How long to look for the strap before giving up; nil for ever.
  public var searchTime: Duration? {
    get { timing.search }
    set { timing.search = newValue }
  }
  /// Shared among straps that are used at the same time.
  public var radio: RadioArbiter
  /// Called once in a session, soon after the strap is connected.
  public var onDetails: @Sendable (StrapDetails) -> Void
  /// Another bus than the system's.
  var busAddress: String?
  var timing = LinkTiming()
  private let logger: Logger

  public init(
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
  /// `body` runs on the bus thread, where the notifications arrive, so that none has to change threads; this
  /// holds where the caller is not bound to an actor. While it works, no signal is read and none is lost, but what
  /// arrives meanwhile is stamped late: leave work of more than some milliseconds to another task.
  ///
  /// - Throws: what `body` throws. The events throw a ``StrapError`` when no first connection can be made.
  public func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    let queue = EventQueue()
    let session = LinkSession(
      machine: LinkStateMachine(
        selection: selection, adapter: adapter, timing: timing, seed: .random(in: 0 ... .max)),
      events: queue,
      LinkSession.Configuration(
        adapter: adapter, busAddress: busAddress, radio: radio, logger: logger, onDetails: onDetails))
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

  /// Undoes, even where the task has been cancelled: its calls would fail at once.
  private func end(_ session: LinkSession) async {
    await Task { await session.end() }.value
  }
}
