import Glibc
import Localization
import Platform

/// The loop of one target: connects, sends, and connects again after a failure. Used by one thread.
struct TargetLoop<Encoder: OutletEncoder, Transport: OutletTransport>
where Encoder.Message == Transport.Message {
  private enum Connection: Equatable {
    case closed(retryAt: Int64)
    /// Waits for the answer of the target.
    case opening(deadline: Int64)
    case open
  }

  /// Time for the answer of a target, in ns.
  private static var answerLimit: Int64 { 10_000_000_000 }

  var encoder: Encoder
  let transport: Transport
  let shared: Locked<TargetWorker.Shared>
  let wake: WakeUpPipe
  /// Performs the commands of the target. Must not block.
  let perform: @Sendable (OutletCommand) -> Void
  private var connection = Connection.closed(retryAt: 0)
  private var backoff = Backoff()

  init(
    encoder: Encoder, transport: Transport, shared: Locked<TargetWorker.Shared>, wake: WakeUpPipe,
    perform: @escaping @Sendable (OutletCommand) -> Void
  ) {
    (self.encoder, self.transport, self.shared, self.wake) = (encoder, transport, shared, wake)
    self.perform = perform
  }

  /// Returns after the last event.
  mutating func run() {
    while true {
      connectIfDue()
      service()
      let isFinished = process()
      if isFinished { return close() }
      wait()
    }
  }

  /// Waits for events, for the transport, or until the next deadline.
  private func wait() {
    let other = interest.map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN) | ($0.isWriting ? Int16(POLLOUT) : 0), revents: 0)
    }
    // Rounded up to reach the deadline after one wait.
    let nanoseconds = min(nextDeadline - SystemClock.boot + 999_999, 3_600_000_000_000)
    _ = wake.wait(milliseconds: CInt(max(0, nanoseconds) / 1_000_000), or: other)
    wake.drain()
  }

  private var interest: TransportInterest? {
    if case .closed = connection { nil } else { transport.interest }
  }

  private var nextDeadline: Int64 {
    let own: Int64? =
      switch connection {
      case .closed(let retryAt): retryAt
      case .opening(let deadline): deadline
      case .open: encoder.nextDeadline
      }
    let service = interest.map { SystemClock.boot + $0.interval }
    return min(own ?? .max, service ?? .max)
  }

  // MARK: Connection

  private mutating func connectIfDue() {
    guard case .closed(let retryAt) = connection, SystemClock.boot >= retryAt else { return }
    do throws(OutletError) {
      let isConnected = try transport.open()
      connection = .opening(deadline: SystemClock.boot + Self.answerLimit)
      if isConnected { connected() }
    } catch { fail(error) }
  }

  private mutating func connected() {
    // Events from before the connection are stale: they change the state of the encoder only.
    let earlier = shared.withLock { $0.queue.takeAll() }
    var lost = 0
    for event in earlier { lost += encoder.encode(event, at: SystemClock.boot).count }
    connection = .open
    backoff.connected(at: SystemClock.boot)
    shared.withLock { shared in
      shared.status.state = .connected
      shared.status.dropped += lost
    }
    send(encoder.connected(at: SystemClock.boot))
  }

  private mutating func fail(_ error: OutletError) {
    let lost = transport.pendingCount
    transport.close()
    connection = .closed(retryAt: backoff.failed(at: SystemClock.boot))
    shared.withLock { shared in
      shared.status.dropped += lost
      shared.status.state = .retrying
      shared.failed(error, at: SystemClock.boot)
    }
  }

  private mutating func service() {
    if case .closed = connection { return }
    do throws(OutletError) {
      for event in try transport.service() { receive(event) }
    } catch { return fail(error) }
    if case .opening(let deadline) = connection, SystemClock.boot >= deadline {
      fail(OutletError(Phrase("no answer within \(Self.answerLimit / 1_000_000_000) s")))
    }
  }

  private mutating func receive(_ event: TransportEvent) {
    switch event {
    case .connected: connected()
    case .delivered(let count): shared.withLock { $0.delivered(count, at: SystemClock.boot) }
    case .requested: send(encoder.connected(at: SystemClock.boot))
    case .commanded(let command): perform(command)
    case .failed(let count, let error):
      shared.withLock { shared in
        shared.status.dropped += count
        shared.failed(error, at: SystemClock.boot)
      }
    case .warned(let error): shared.withLock { $0.failed(error, at: SystemClock.boot) }
    }
  }

  private mutating func close() {
    if connection == .open {
      send(encoder.closing())
      let delivered = transport.flush()
      shared.withLock { $0.delivered(delivered, at: SystemClock.boot) }
    }
    transport.close()
    shared.withLock { $0.status.state = .closed }
  }

  // MARK: Messages

  /// Sends the queued events and the messages that are due. Returns whether no event follows.
  private mutating func process() -> Bool {
    let (events, isFinished) = shared.withLock { ($0.queue.takeAll(), $0.queue.isFinished) }
    for event in events { send(encoder.encode(event, at: SystemClock.boot)) }
    send(encoder.due(at: SystemClock.boot))
    return isFinished
  }

  private mutating func send(_ messages: [Encoder.Message]) {
    for message in messages {
      guard connection == .open else {
        shared.withLock { $0.status.dropped += 1 }
        continue
      }
      do throws(OutletError) { count(try transport.send(message)) } catch {
        shared.withLock { $0.status.dropped += 1 }
        fail(error)
      }
    }
  }

  private func count(_ delivery: Delivery) {
    shared.withLock { shared in
      switch delivery {
      case .delivered: shared.delivered(1, at: SystemClock.boot)
      case .pending: break
      case .dropped(let error):
        shared.status.dropped += 1
        shared.failed(error, at: SystemClock.boot)
      }
    }
  }
}
