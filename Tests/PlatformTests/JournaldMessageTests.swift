import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct JournaldMessageTests {
  private let message = JournaldMessage("a\nb", .warning, fields: [("TARGET", "osc://")])

  @Test func datagramHasTheFieldsOfTheNativeProtocol() {
    let expected =
      Array("MESSAGE\n".utf8) + [3, 0, 0, 0, 0, 0, 0, 0]
      + Array(
        "a\nb\nPRIORITY=4\nSYSLOG_IDENTIFIER=stressmon\nSTRESSMON_VERSION=\(programVersion)\nSTRESSMON_TARGET=osc://\n"
          .utf8)
    #expect(message.datagram == expected)
  }

  @Test func messageReachesASocket() throws {
    let folder = try TemporaryFolder(prefix: "journal")
    let path = folder.file("socket")
    #expect(!message.send(to: path))
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    let address = try #require(SocketAddress(path))
    try #require(unsafe address.withPointer { unsafe bind(descriptor, $0, $1) } == 0)
    #expect(message.send(to: path))
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
    #expect(Array(bytes.prefix(max(0, count))) == message.datagram)
  }
}
