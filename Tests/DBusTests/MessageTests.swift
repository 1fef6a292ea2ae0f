import TestSupport
import Testing

@testable import DBus

/// Messages in the wire format, some of them corrupted.
@Suite struct MessageTests {
  /// A little-endian signal with this body, whose arguments have this signature.
  static func signal(_ signature: String, _ body: [UInt8]) -> DBusMessage? {
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
    // The array of fields ends with the last field; the padding after it belongs to the header.
    let last = 4 + 1 + signature.utf8.count + 1
    let length = fields.count - (-last & 7)
    return DBusMessage(
      bytes: [0x6c, 4, 1, 1] + uint32(body.count) + uint32(9) + uint32(length) + fields + body)
  }

  static func uint32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  /// `s a{sv} as` with `Value` = these bytes.
  static func valueChanged(_ payload: [UInt8]) -> DBusMessage? {
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

  private static func subscription(
    sender: String = ":1.5", path: String = "/org/bluez/hci0/dev_1/service0001/char0002"
  ) -> PropertySubscription {
    PropertySubscription(
      sender: sender, path: path, interface: "org.bluez.GattCharacteristic1", property: "Value"
    ) { _, _ in }
  }

  @Test(arguments: [[], [0x00], [0x10, 0x44, 0x92, 0x03], [UInt8](repeating: 0xff, count: 512)])
  func subscriptionReadsTheNewValueOfAProperty(_ payload: [UInt8]) throws {
    let message = try #require(Self.valueChanged(payload))
    #expect(Self.subscription().value(in: message) == payload)
    #expect(
      message.arguments == [
        .string("org.bluez.GattCharacteristic1"), .properties(["Value": .bytes(payload)]), .strings([]),
      ])
  }

  @Test func subscriptionComparesSenderAndPathCompletely() throws {
    let message = try #require(Self.valueChanged([0x00, 0x40]))
    let path = "/org/bluez/hci0/dev_1/service0001/char0002"
    let matches = { (sender: String, path: String) in
      Self.subscription(sender: sender, path: path).matches(message)
    }
    #expect(matches(":1.5", path))
    #expect(!matches(":1.55", path))
    #expect(!matches(":1.6", path))
    #expect(!matches(":1.5", String(path.dropLast())))
    #expect(!matches(":1.5", path + "0"))
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func corruptedMessagesAreReadOrRejectedWithoutATrap(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = try #require(Self.valueChanged([0x16, 0x3c, 0x8c, 0x04, 0x00])).bytes
    var read = 0
    for _ in 0..<2000 {
      guard let message = DBusMessage(bytes: whole.corrupted(using: &random)) else { continue }
      read += 1
      _ = Self.subscription().value(in: message)
      _ = message.incoming
      _ = message.arguments.map { ($0.dictionary, $0.strings, $0.signature) }
    }
    #expect(read > 10)
  }

  /// Arguments of other types than the array of bytes that a subscription expects.
  static let otherTypes: [(String, [UInt8])] = [
    ("", []), ("s", [0, 0, 0, 0, 0]), ("ay", [1, 0, 0, 0, 7]), ("u", [1, 0, 0, 0]), ("as", [0, 0, 0, 0]),
    ("ss", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ("v", [1, 0x79, 0, 7]), ("(yy)", [1, 2]),
    ("a{yy}", [2, 0, 0, 0, 0, 0, 0, 0, 1, 2]), ("d", [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
  ]

  @Test(arguments: otherTypes)
  func subscriptionIgnoresArgumentsOfOtherTypes(_ signature: String, _ body: [UInt8]) throws {
    let message = try #require(Self.signal(signature, body))
    #expect(Self.subscription().value(in: message) == nil)
    #expect(message.arguments.count == (signature == "ss" ? 2 : signature.isEmpty ? 0 : 1))
    #expect(message.arguments.map(\.signature).joined() == signature)
  }

  @Test func writtenArgumentsAreReadBackUnchanged() throws {
    let arguments: [DBusValue] = [
      .string("é"), .objectPath("/a"), .uint32(7), .bool(true), .byte(1), .int16(-2), .uint16(3), .int32(-4),
      .int64(-5), .uint64(6), .double(0.5), .signature("a{sv}"), .bytes([]), .bytes([1, 2]),
      .structure([.byte(1), .string("x")]), .array(of: "{ys}", [.entry(.byte(87), .string("y"))]),
      .properties(["Transport": .string("le"), "UUIDs": .strings(["a", "b"]), "On": .bool(false)]),
    ]
    let call = MethodCall(
      destination: "org.bluez", path: "/org/bluez/hci0", interface: "org.bluez.Adapter1", member: "M",
      arguments: arguments)
    let message = try #require(DBusMessage.call(call))
    #expect(message.arguments == arguments)
    #expect(message.arguments.last?.dictionary?["UUIDs"]?.strings == ["a", "b"])
    #expect(message.arguments[15].dictionary == ["87": .string("y")])
    #expect(message.arguments[13].bytes == [1, 2] && message.arguments[13].array == nil)
  }

  /// libdbus aborts the process on an invalid path.
  @Test(arguments: ["", "no slash", "/a//b", "/ä"])
  func callsWithInvalidPathsAreRejected(_ path: String) {
    let call = MethodCall(destination: "org.bluez", path: path, interface: "a.b", member: "M")
    #expect(DBusMessage.call(call) == nil)
    let argument = MethodCall(
      destination: "org.bluez", path: "/", interface: "a.b", member: "M", arguments: [.objectPath(path)])
    #expect(DBusMessage.call(argument) == nil)
  }
}
