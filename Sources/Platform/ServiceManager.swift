import Glibc

/// The service manager that started the process. Sends it sd_notify(3) datagrams.
///
/// Sending neither blocks nor fails: a missing manager does not end a measurement.
package struct ServiceManager: Sendable {
  /// The service manager of this process, if NOTIFY_SOCKET is set.
  package static let current = ServiceManager(.current)

  /// Interval between watchdog keep-alives, a third of WATCHDOG_USEC, if the watchdog is on for this process.
  package let keepAliveInterval: Duration?
  private let address: SocketAddress

  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. Fails if there is no socket or its address is of an unknown kind.
  package init?(_ environment: ProcessEnvironment, processID: Int32 = getpid()) {
    guard let path = environment["NOTIFY_SOCKET"], let address = SocketAddress(path) else { return nil }
    self.address = address
    let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == processID } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    keepAliveInterval = isMeant ? limit.map { .microseconds($0 / 3) } : nil
  }

  /// Reports that start-up is complete.
  package func ready() { send("READY=1") }

  /// Reports the state of the service as one line of text.
  package func status(_ text: String) { send("STATUS=" + text.filter { !$0.isNewline }) }

  /// Sends a watchdog keep-alive. Call it from the code that processes events: keep-alives must stop when processing stops.
  package func keepAlive() { send("WATCHDOG=1") }

  /// Reports that the process is shutting down.
  package func stopping() { send("STOPPING=1") }

  private func send(_ assignment: String) { _ = address.send(Array(assignment.utf8)) }

  /// Waits until the boot clock reaches `due`, in nanoseconds, and sends keep-alives meanwhile.
  ///
  /// Sleeps for at most one second at a time, because a sleep may exclude the time during which the machine is suspended.
  package static func wait(until due: Int64, sendingKeepAlivesTo manager: ServiceManager?) async throws {
    let longest = min(manager?.keepAliveInterval ?? .seconds(1), .seconds(1))
    while true {
      manager?.keepAlive()
      let rest = Duration.nanoseconds(due - SystemClock.boot)
      guard rest > .zero else { return }
      try await Task.sleep(for: min(rest, longest))
    }
  }
}
