import Glibc
import HeartRate
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Commands

@Suite struct ServiceManagerTests {
  private func manager(_ socket: NotifySocket, _ more: [String: String] = [:]) throws -> ServiceManager {
    let environment = more.merging(["NOTIFY_SOCKET": socket.address]) { $1 }
    return try #require(ServiceManager(ProcessEnvironment(variables: environment)))
  }

  @Test(arguments: NotifySocket.Kind.allCases)
  func itHearsWhatIsTold(kind: NotifySocket.Kind) throws {
    let socket = try NotifySocket(kind)
    let manager = try manager(socket)
    manager.ready()
    manager.status("two\nlines, é")
    manager.keepAlive()
    manager.stopping()
    #expect(socket.drain() == ["READY=1", "STATUS=twolines, é", "WATCHDOG=1", "STOPPING=1"])
  }

  @Test(arguments: ["", "relative/path", "vsock:2:1234", String(repeating: "/", count: 200)])
  func withoutASocketOfAKnownKindNobodyIsTold(path: String) {
    #expect(ServiceManager(ProcessEnvironment(variables: ["NOTIFY_SOCKET": path])) == nil)
    #expect(ServiceManager(ProcessEnvironment(variables: [:])) == nil)
  }

  @Test func aManagerThatHasGoneIsNoFailure() throws {
    let manager = try #require(
      ServiceManager(ProcessEnvironment(variables: ["NOTIFY_SOCKET": "/nowhere/at/all"])))
    manager.ready()
    manager.keepAlive()
  }

  /// A manager that reads nothing must not hold up the heart.
  @Test func aManagerThatDoesNotReadIsNotWaitedFor() throws {
    let socket = try NotifySocket()
    let manager = try manager(socket)
    for _ in 0..<5000 { manager.keepAlive() }
    #expect(socket.next(seconds: 0) == "WATCHDOG=1")
  }

  static let watching: [([String: String], Duration?)] = [
    ([:], nil), (["WATCHDOG_USEC": "60000000"], .seconds(20)), (["WATCHDOG_USEC": "0"], nil),
    (["WATCHDOG_USEC": "x"], nil),
    (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "\(getpid())"], .seconds(1)),
    (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"], nil),
    (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "x"], nil),
  ]

  @Test(arguments: watching)
  func itIsTheWatchedProcessOrNot(environment: [String: String], interval: Duration?) throws {
    #expect(try manager(NotifySocket(), environment).keepAliveInterval == interval)
  }

  // MARK: The watchdog

  @Test func pulsesComeWhileEventsAreTakenAndWhileNoneAre() async throws {
    let socket = try NotifySocket()
    let watchdog = try #require(Watchdog(manager(socket, ["WATCHDOG_USEC": "30000"])))
    let count = Mutex(0)
    await watchdog.watch {
      // Idle, as when the strap is away.
      while count.withLock({ $0 }) < 10 {
        if socket.next(seconds: 0) != nil { count.withLock { $0 += 1 } }
        try? await Task.sleep(for: .milliseconds(1))
      }
      // Busy: each look of the watchdog finds another event.
      while count.withLock({ $0 }) < 20 {
        watchdog.enter()
        await Task.yield()
        watchdog.leave()
        if socket.next(seconds: 0) != nil { count.withLock { $0 += 1 } }
      }
    }
    #expect(count.withLock { $0 } == 20)
  }

  @Test func anEventThatIsNeverDoneHoldsThePulsesBack() async throws {
    let socket = try NotifySocket()
    let watchdog = try #require(Watchdog(manager(socket, ["WATCHDOG_USEC": "30000"])))
    await watchdog.watch {
      watchdog.enter()
      // The first looks may be from before.
      var quiet = 0
      for _ in 0..<6000 where quiet < 50 {
        try? await Task.sleep(for: .milliseconds(10))
        quiet = socket.drain().isEmpty ? quiet + 1 : 0
      }
      #expect(quiet == 50)
      watchdog.leave()
      var pulses = 0
      for _ in 0..<6000 where pulses == 0 {
        try? await Task.sleep(for: .milliseconds(10))
        pulses += socket.drain().count
      }
      #expect(pulses > 0)
    }
  }

  @Test func nobodyWatchesWhereNobodyAsked() throws {
    #expect(Watchdog(nil) == nil)
    #expect(Watchdog(try manager(NotifySocket())) == nil)
  }
}
