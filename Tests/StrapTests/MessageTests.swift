import CDBus
import TestSupport
import Testing

@testable import Strap

/// Messages as they are on the wire, written by libdbus and then spoiled.
@Suite struct MessageTests {
  /// A message, freed at the end of the test.
  final class Message {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { dbus_message_unref(pointer) }

    convenience init?(bytes: [UInt8]) {
      let pointer = bytes.withUnsafeBytes {
        dbus_message_demarshal($0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt($0.count), nil)
      }
      guard let pointer else { return nil }
      self.init(pointer)
    }

    var bytes: [UInt8] {
      var start: UnsafeMutablePointer<CChar>?
      var count: CInt = 0
      dbus_message_marshal(pointer, &start, &count)
      defer { dbus_free(start) }
      return UnsafeRawBufferPointer(start: start, count: Int(count)).map { $0 }
    }
  }

  /// A little-endian signal with the body given, whose arguments have the signature given.
  static func signal(_ signature: String, _ body: [UInt8]) -> Message? {
    func field(_ code: UInt8, _ type: Character, _ text: String) -> [UInt8] {
      var bytes: [UInt8] = [code, 1, type.asciiValue ?? 0, 0]
      if type == "g" { bytes += [UInt8(text.utf8.count)] } else { bytes += Self.uint32(text.utf8.count) }
      bytes += Array(text.utf8) + [0]
      return bytes + Array(repeating: 0, count: -bytes.count & 7)
    }
    let fields =
      field(1, "o", "/org/bluez/hci0/dev_1/service0001/char0002")
      + field(2, "s", "org.freedesktop.DBus.Properties") + field(3, "s", "PropertiesChanged")
      + field(7, "s", ":1.5") + field(8, "g", signature)
    // The array of fields ends with the last field, the padding after it belongs to the header.
    let last = 4 + 1 + signature.utf8.count + 1
    let length = fields.count - (-last & 7)
    return Message(bytes: [0x6c, 4, 1, 1] + uint32(body.count) + uint32(9) + uint32(length) + fields + body)
  }

  static func uint32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  /// `s a{sv} as` with `Value` = these bytes.
  static func valueChanged(_ payload: [UInt8]) -> Message? {
    let interface = "org.bluez.GattCharacteristic1"
    var body = uint32(interface.utf8.count) + Array(interface.utf8) + [0]
    body += Array(repeating: 0, count: -body.count & 3)
    var entry: [UInt8] = uint32(5) + Array("Value".utf8) + [0]
    entry += [2] + Array("ay".utf8) + [0]
    entry += Array(repeating: 0, count: -entry.count & 3)
    entry += uint32(payload.count) + payload
    body += uint32(entry.count)
    body += Array(repeating: 0, count: -body.count & 7)
    body += entry
    body += Array(repeating: 0, count: -body.count & 3)
    return signal("sa{sv}as", body + uint32(0))
  }

  @Test(arguments: [[], [0x00], [0x10, 0x44, 0x92, 0x03], [UInt8](repeating: 0xff, count: 512)])
  func readsTheValue(_ payload: [UInt8]) throws {
    let message = try #require(Self.valueChanged(payload))
    #expect(ValueSubscription.value(in: message.pointer) == payload)
    #expect(
      MessageReader.arguments(of: message.pointer) == [
        .string("org.bluez.GattCharacteristic1"), .dictionary(["Value": .bytes(payload)]), .array([]),
      ])
  }

  @Test func matchesSenderAndPathWhole() throws {
    let message = try #require(Self.valueChanged([0x00, 0x40]))
    let path = "/org/bluez/hci0/dev_1/service0001/char0002"
    let matches = { (sender: String, path: String) in
      ValueSubscription(sender: sender, path: path) { _, _ in }.matches(message.pointer)
    }
    #expect(matches(":1.5", path))
    #expect(!matches(":1.55", path))
    #expect(!matches(":1.6", path))
    #expect(!matches(":1.5", String(path.dropLast())))
    #expect(!matches(":1.5", path + "0"))
  }

  /// Whatever libdbus lets through is read without a trap.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func spoiledMessagesAreReadOrRefused(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = try #require(Self.valueChanged([0x16, 0x3c, 0x8c, 0x04, 0x00])).bytes
    var read = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : bytes.randomElement(using: &random) ?? 0
      }
      guard let message = Message(bytes: bytes) else { continue }
      read += 1
      _ = ValueSubscription.value(in: message.pointer)
      var tree = ObjectTree()
      let arguments = MessageReader.arguments(of: message.pointer)
      _ = tree.apply(
        IncomingMessage(
          sender: "", path: "/", interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
          arguments: arguments))
      _ = ObjectTree(managedObjects: arguments)
    }
    #expect(read > 10)
  }

  /// Other types where bytes are expected.
  static let otherTypes: [(String, [UInt8])] = [
    ("", []), ("s", [0, 0, 0, 0, 0]), ("ay", [1, 0, 0, 0, 7]), ("u", [1, 0, 0, 0]), ("as", [0, 0, 0, 0]),
    ("ss", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ("v", [1, 0x79, 0, 7]), ("(yy)", [1, 2]),
    ("a{yy}", [2, 0, 0, 0, 0, 0, 0, 0, 1, 2]), ("d", [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
  ]

  @Test(arguments: otherTypes)
  func passesOverOtherTypes(_ signature: String, _ body: [UInt8]) throws {
    let message = try #require(Self.signal(signature, body))
    #expect(ValueSubscription.value(in: message.pointer) == nil)
    #expect(
      MessageReader.arguments(of: message.pointer).count
        == (signature == "ss" ? 2 : signature.isEmpty ? 0 : 1))
  }

  @Test func writesWhatItReads() throws {
    let call = MethodCall(
      destination: "org.bluez", path: "/org/bluez/hci0", interface: "org.bluez.Adapter1", member: "M",
      arguments: [
        .string("é"), .objectPath("/a"), .uint32(7), .bool(true),
        .options(["Transport": .string("le"), "UUIDs": .strings(["a", "b"]), "On": .bool(false)]),
      ])
    let message = Message(try #require(MessageWriter.message(for: call)))
    #expect(
      MessageReader.arguments(of: message.pointer) == [
        .string("é"), .objectPath("/a"), .uint32(7), .bool(true),
        .dictionary([
          "Transport": .string("le"), "UUIDs": .array([.string("a"), .string("b")]), "On": .bool(false),
        ]),
      ])
  }

  /// libdbus would abort the process on them.
  @Test(arguments: ["", "no slash", "/a//b", "/ä"])
  func refusesPathsThatAreNone(_ path: String) {
    let call = MethodCall(destination: "org.bluez", path: path, interface: "a.b", member: "M")
    #expect(MessageWriter.message(for: call) == nil)
    let argument = MethodCall(
      destination: "org.bluez", path: "/", interface: "a.b", member: "M", arguments: [.objectPath(path)])
    #expect(MessageWriter.message(for: argument) == nil)
  }
}
