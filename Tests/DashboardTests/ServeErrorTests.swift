import Glibc
import NIOCore
import Testing

@testable import Dashboard

@Suite struct ServeErrorTests {
  @Test(arguments: [
    (80, EACCES, "port 80 of ::1 cannot be used: Permission denied.", 8078),
    (8077, EADDRINUSE, "port 8077 of ::1 is in use by another program.", 8078),
    (65535, EADDRINUSE, "port 65535 of ::1 is in use by another program.", 8078),
  ])
  func aPortThatCannotBeUsedIsExplained(port: Int, code: CInt, reason: String, other: Int) {
    let error = IOError(errnoCode: code, reason: "bind(descriptor:ptr:bytes:)")
    let text = ServeError.port(port, address: "::1", error).description
    #expect(text.hasPrefix("\(reason) Choose another port with: stressmon serve --port \(other)"), "\(text)")
    #expect(!text.contains("descriptor"))
  }
}
