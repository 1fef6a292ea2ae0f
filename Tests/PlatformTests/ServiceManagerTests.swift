import Glibc
import Platform
import TestSupport
import Testing

@Suite struct ServiceManagerTests {
  private func manager(_ socket: NotifySocket, _ more: [String: String] = [:]) throws -> ServiceManager {
    let environment = more.merging(["NOTIFY_SOCKET": socket.address]) { $1 }
    return try #require(ServiceManager(ProcessEnvironment(variables: environment)))
  }

  @Test(arguments: NotifySocket.Kind.allCases)
  func itSendsEachNotificationAsOneDatagram(kind: NotifySocket.Kind) throws {
    let socket = try NotifySocket(kind)
    let manager = try manager(socket)
    manager.ready()
    manager.status("two\nlines, é")
    manager.keepAlive()
    manager.stopping()
    #expect(socket.drain() == ["READY=1", "STATUS=twolines, é", "WATCHDOG=1", "STOPPING=1"])
  }

  @Test(arguments: ["", "relative/path", "vsock:2:1234", String(repeating: "/", count: 200)])
  func anUnknownKindOfAddressGivesNoManager(path: String) {
    #expect(ServiceManager(ProcessEnvironment(variables: ["NOTIFY_SOCKET": path])) == nil)
    #expect(ServiceManager(ProcessEnvironment(variables: [:])) == nil)
  }

  @Test func sendingToAMissingManagerDoesNothing() throws {
    let manager = try #require(
      ServiceManager(ProcessEnvironment(variables: ["NOTIFY_SOCKET": "/nowhere/at/all"])))
    manager.ready()
    manager.keepAlive()
  }

  @Test func sendingDoesNotBlockIfTheManagerDoesNotRead() throws {
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
  func theKeepAliveIntervalIsAThirdOfTheLimitOfThisProcess(environment: [String: String], interval: Duration?)
    throws
  {
    #expect(try manager(NotifySocket(), environment).keepAliveInterval == interval)
  }
}
