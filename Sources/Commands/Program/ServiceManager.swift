import Glibc
import HeartRate

/// The service manager that started the program, and what it is told: the datagrams of sd_notify(3).
///
/// Telling never waits and never fails the program: a manager that has gone is no reason to stop measuring.
struct ServiceManager: Sendable {
  /// The one of this run; nil where nobody asked to be told.
  static let current = ServiceManager(.current)

  /// How often it wants to hear that all is well, with time to spare; nil where it does not watch this process.
  let pulseInterval: Duration?
  private let address: SocketAddress

  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. Nil without a socket, or with one of no known kind.
  init?(_ surroundings: Surroundings, processID: Int32 = getpid()) {
    guard let path = surroundings["NOTIFY_SOCKET"], let address = SocketAddress(path) else { return nil }
    self.address = address
    let isMeant = surroundings["WATCHDOG_PID"].map { Int32($0) == processID } ?? true
    let limit = surroundings["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    pulseInterval = isMeant ? limit.map { .microseconds($0 / 3) } : nil
  }

  /// The program does what it was started for.
  func ready() { send("READY=1") }

  /// What it is doing, in one line for a person.
  func status(_ text: String) { send("STATUS=" + text.filter { !$0.isNewline }) }

  /// All is well. To be called from where the work is done, so that it stops when that does.
  func pulse() { send("WATCHDOG=1") }

  /// The program is ending, in good order.
  func stopping() { send("STOPPING=1") }

  private func send(_ assignment: String) {
    let socket = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    let message = Array(assignment.utf8)
    address.withPointer { address, length in
      _ = sendto(
        socket, message, message.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT), address,
        length)
    }
  }
}

/// Waits until the system's boot clock shows `due`, in nanoseconds, and keeps `manager` from worrying meanwhile.
///
/// In short pieces: a sleep that began before the machine was suspended may not count the time of it.
func wait(until due: Int64, telling manager: ServiceManager?) async throws {
  let longest = min(manager?.pulseInterval ?? .seconds(1), .seconds(1))
  while true {
    manager?.pulse()
    let rest = Duration.nanoseconds(due - SystemClock.boot)
    guard rest > .zero else { return }
    try await Task.sleep(for: min(rest, longest))
  }
}

/// The address of a local socket: a path, or with `@` before it a name in the abstract namespace.
private struct SocketAddress: Sendable {
  /// Bytes of `sun_path`. An abstract name begins with 0 and ends where it ends, not at a 0.
  private let name: [UInt8]

  init?(_ text: String) {
    var name = Array(text.utf8)
    guard let first = name.first, name.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      return nil
    }
    switch first {
    case UInt8(ascii: "@"): name[0] = 0
    case UInt8(ascii: "/"): name.append(0)
    default: return nil
    }
    self.name = name
  }

  func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
