import Platform
import Synchronization
import TestSupport
import Testing

@testable import Session

@Suite struct WatchdogTests {
  private func manager(_ socket: NotifySocket, _ more: [String: String] = [:]) throws -> ServiceManager {
    let environment = more.merging(["NOTIFY_SOCKET": socket.address]) { $1 }
    return try #require(ServiceManager(ProcessEnvironment(variables: environment)))
  }

  /// Runs `body` while keep-alives are sent.
  private func watching(_ watchdog: Watchdog, _ body: () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await watchdog.sendKeepAlives() }
      await body()
      group.cancelAll()
    }
  }

  @Test func keepAlivesAreSentWhileEventsAreProcessedAndWhileIdle() async throws {
    let socket = try NotifySocket()
    let watchdog = try #require(Watchdog(manager(socket, ["WATCHDOG_USEC": "30000"])))
    let count = Mutex(0)
    await watching(watchdog) {
      // Idle, as while scanning.
      while count.withLock({ $0 }) < 10 {
        if socket.next(seconds: 0) != nil { count.withLock { $0 += 1 } }
        try? await Task.sleep(for: .milliseconds(1))
      }
      // Busy: each check of the watchdog finds another event.
      while count.withLock({ $0 }) < 20 {
        watchdog.enter()
        await Task.yield()
        watchdog.leave()
        if socket.next(seconds: 0) != nil { count.withLock { $0 += 1 } }
      }
    }
    #expect(count.withLock { $0 } == 20)
  }

  @Test func anEventThatHangsSuppressesKeepAlives() async throws {
    let socket = try NotifySocket()
    let watchdog = try #require(Watchdog(manager(socket, ["WATCHDOG_USEC": "30000"])))
    await watching(watchdog) {
      watchdog.enter()
      // Keep-alives that were sent before can still arrive.
      var quiet = 0
      for _ in 0..<6000 where quiet < 50 {
        try? await Task.sleep(for: .milliseconds(10))
        quiet = socket.drain().isEmpty ? quiet + 1 : 0
      }
      #expect(quiet == 50)
      watchdog.leave()
      var keepAlives = 0
      for _ in 0..<6000 where keepAlives == 0 {
        try? await Task.sleep(for: .milliseconds(10))
        keepAlives += socket.drain().count
      }
      #expect(keepAlives > 0)
    }
  }

  @Test func thereIsNoWatchdogWithoutALimit() throws {
    #expect(Watchdog(nil) == nil)
    #expect(Watchdog(try manager(NotifySocket())) == nil)
  }
}
