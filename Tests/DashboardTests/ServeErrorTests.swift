import Glibc
import Localization
import NIOCore
import TestSupport
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

  @Test(arguments: MessageCatalogue.languages)
  func theReasonAndTheAdviceAreTranslated(name: String) throws {
    let catalogue = try MessageCatalogue(name)
    let language = Language(name) { catalogue.text($0, $1) }
    let error = ServeError.port(8077, address: "::1", IOError(errnoCode: EADDRINUSE, reason: "bind"))
    let text = language.text(error.message)
    #expect(text.contains("8077") && text.contains("stressmon config set serve-port 8078"), "\(text)")
    #expect(!text.contains("in use") && !text.contains("Choose"), "\(text)")
  }
}
