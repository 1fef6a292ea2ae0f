import Dispatch
package import Glibc
import Platform
import Synchronization

/// The values, methods and signals of an object that a ``BusService`` serves. Used on the thread of the service only.
package protocol BusServiceSource: SendableMetatype {
  /// The current values of the properties.
  var properties: [String: DBusValue] { get }
  /// Whether there will be no more values; the service then ends.
  var hasEnded: Bool { get }
  /// Waits for new values, for at most `milliseconds` or until an event of `others`.
  mutating func wait(atMost milliseconds: CInt, polling others: [pollfd])
  /// Performs a method. Returns `nil` if there is no method with this name and signature.
  mutating func perform(_ call: IncomingMessage, _ signature: String) throws(BusError) -> [DBusValue]?
  /// Removes and returns the signals that are due: member and arguments.
  mutating func takeSignals() -> [(member: String, arguments: [DBusValue])]
  /// The current arguments of the signal `Changed`.
  var changed: [DBusValue] { get }
}

/// Serves one object under a well-known name on a message bus. Each service has one thread.
///
/// Several processes can serve the same name: the first one owns it, and the next in the queue of the bus takes over when the
/// owner ends. Only the owner emits signals: `PropertiesChanged` and `Changed`, at most once per second and only after a change.
/// A missing bus is reported once and contacted again with exponential back-off, as after a restart of the bus.
///
/// At most one socket buffer of replies waits for the bus: calls stay unread while it does not accept data.
package final class BusService: Sendable {
  private let address: String
  private let name: String
  private let object: ServedObject
  /// Properties whose changes are not signalled.
  private let unsignalled: Set<String>
  private let report: @Sendable (String) -> Void
  private let isStopped = Atomic(false)
  private let wakeUp = WakeUpPipe()

  /// Shortest time between two signals of changes, in ns.
  package static let signalInterval: Int64 = 1_000_000_000

  package init(
    at address: String, name: String, object: ServedObject, unsignalled: Set<String> = [],
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.address, self.name, self.object) = (address, name, object)
    (self.unsignalled, self.report) = (unsignalled, report)
  }

  deinit { wakeUp.close() }

  /// Starts the thread and returns at once.
  /// - Parameter makeSource: called on the thread for each connection to the bus.
  package func start<Source: BusServiceSource>(_ makeSource: @escaping @Sendable () throws -> Source) {
    DispatchQueue(label: "stressmon.bus-service").async { [self] in run(makeSource) }
  }

  /// Ends the service; does not wait for its thread.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    wakeUp.notify()
  }

  // MARK: The thread

  private func run<Source: BusServiceSource>(_ makeSource: () throws -> Source) {
    var backoff = Backoff()
    var isReported = false
    while !isStopped.load(ordering: .relaxed) {
      do {
        let connection = try PolledBusConnection(address: address)
        try connection.queueForName(name)
        backoff.connected(at: SystemClock.boot)
        isReported = false
        if serve(connection, try makeSource()) { return }
        report("\(name): the connection to the session bus ended")
      } catch {
        if !isReported { report("\(name) is not served: \(String(describing: error))") }
        isReported = true
      }
      pause(until: backoff.failed(at: SystemClock.boot))
    }
  }

  private func pause(until time: Int64) {
    while !isStopped.load(ordering: .relaxed), SystemClock.boot < time {
      _ = wakeUp.wait(milliseconds: CInt(clamping: (time - SystemClock.boot) / 1_000_000 + 1))
    }
  }

  /// Serves until the end of the service (true) or of the connection (false).
  private func serve<Source: BusServiceSource>(_ connection: PolledBusConnection, _ source: Source) -> Bool {
    var (source, changes, isOwner) = (source, ChangeFilter(interval: Self.signalInterval), false)
    while !isStopped.load(ordering: .relaxed), !source.hasEnded {
      guard connection.transfer() else { return false }
      while !connection.hasMessagesToSend, let message = connection.next() {
        switch message.kind {
        case .call: answer(message, connection, &source)
        case .signal: note(message, &isOwner)
        case .reply, .error, .invalid: break
        }
      }
      if !connection.hasMessagesToSend { emit(&source, &changes, isOwner: isOwner, on: connection) }
      let writing = connection.hasMessagesToSend ? Int16(POLLOUT) : 0
      source.wait(
        atMost: changes.isPending ? 100 : 1000,
        polling: [
          pollfd(fd: connection.descriptor, events: Int16(POLLIN) | writing, revents: 0),
          pollfd(fd: wakeUp.readEnd, events: Int16(POLLIN), revents: 0),
        ])
    }
    return true
  }

  /// Notes whether this process owns the name. Other clients can send signals of this name as well.
  private func note(_ signal: DBusMessage, _ isOwner: inout Bool) {
    guard signal.sender == "org.freedesktop.DBus", signal.arguments.first?.string == name else { return }
    switch signal.member {
    case "NameAcquired": isOwner = true
    case "NameLost": isOwner = false
    default: break
    }
  }

  private func answer<Source: BusServiceSource>(
    _ call: DBusMessage, _ connection: PolledBusConnection, _ source: inout Source
  ) {
    let reply: DBusMessage?
    do throws(BusError) {
      let values = try object.answer(
        call, properties: { source.properties },
        perform: { call, signature throws(BusError) in try source.perform(call, signature) })
      reply = call.reply(values)
    } catch {
      reply = call.reply(error)
    }
    if call.wantsReply, let reply { connection.send(reply) }
  }

  private func emit<Source: BusServiceSource>(
    _ source: inout Source, _ changes: inout ChangeFilter, isOwner: Bool, on connection: PolledBusConnection
  ) {
    let signals = source.takeSignals()
    guard isOwner else { return }
    let properties = source.properties
    let changed = changes.changes(
      of: properties.filter { !unsignalled.contains($0.key) }, at: SystemClock.boot)
    if !changed.isEmpty {
      send(
        StandardInterface.properties, "PropertiesChanged",
        [.string(object.interface), .properties(changed), .strings([])], on: connection)
      send(object.interface, "Changed", source.changed, on: connection)
    }
    for signal in signals { send(object.interface, signal.member, signal.arguments, on: connection) }
  }

  private func send(
    _ interface: String, _ member: String, _ arguments: [DBusValue], on connection: PolledBusConnection
  ) {
    guard let signal = DBusMessage.signal(object.path, interface, member, arguments) else { return }
    connection.send(signal)
  }
}

/// Limits the rate of the signals of changed properties.
struct ChangeFilter {
  private let interval: Int64
  private var last: [String: DBusValue] = [:]
  private var next = Int64.min
  /// Whether changes wait for the end of the interval.
  private(set) var isPending = false

  /// - Parameter interval: shortest time between changes, in ns.
  init(interval: Int64) { self.interval = interval }

  /// The values that differ from those returned before; none within the interval.
  mutating func changes(of values: [String: DBusValue], at now: Int64) -> [String: DBusValue] {
    let changed = values.filter { name, value in last[name].map { !$0.isSame(as: value) } ?? true }
    isPending = !changed.isEmpty && now < next
    guard !changed.isEmpty, !isPending else { return [:] }
    (last, next) = (values, now + interval)
    return changed
  }
}

extension DBusValue {
  /// Whether the values are equal, or both not a number.
  fileprivate func isSame(as other: DBusValue) -> Bool {
    if case .double(let a) = self, case .double(let b) = other, a.isNaN, b.isNaN { return true }
    return self == other
  }
}
