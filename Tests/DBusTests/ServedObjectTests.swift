import TestSupport
import Testing

@testable import DBus

/// The answers of a served object to calls of other programs, valid or not.
@Suite struct ServedObjectTests {
  private let object = ServedObject(path: "/a/b", interface: "x.Y", introspection: "<node/>")

  private func answer(
    _ interface: String, _ member: String, _ arguments: [DBusValue] = [], path: String = "/a/b"
  ) throws -> [DBusValue] {
    let call = try #require(
      DBusMessage.call(
        MethodCall(
          destination: "x.Y", path: path, interface: interface, member: member, arguments: arguments)))
    return try object.answer(
      call, properties: { ["P": .double(1)] },
      perform: { call, signature throws(BusError) in
        (call.member, signature) == ("Do", "s") ? call.arguments : nil
      })
  }

  private func error(
    _ interface: String, _ member: String, _ arguments: [DBusValue] = [], path: String = "/a/b"
  ) -> String? {
    do {
      _ = try answer(interface, member, arguments, path: path)
      return nil
    } catch { return (error as? BusError)?.name.replacing("org.freedesktop.DBus.Error.", with: "") }
  }

  @Test func standardInterfaces() throws {
    #expect(try answer(StandardInterface.peer, "Ping").isEmpty)
    #expect(try answer(StandardInterface.introspectable, "Introspect") == [.string("<node/>")])
    let root = try answer(StandardInterface.introspectable, "Introspect", path: "/")
    #expect(root == [.string(#"<node><node name="a"/></node>"#)])
    #expect(
      try answer(StandardInterface.introspectable, "Introspect", path: "/a")
        == [.string(#"<node><node name="b"/></node>"#)])
    #expect(
      try answer(StandardInterface.properties, "Get", [.string("x.Y"), .string("P")])
        == [.variant(.double(1))])
    #expect(
      try answer(StandardInterface.properties, "GetAll", [.string("x.Y")])
        == [.properties(["P": .double(1)])])
    #expect(try answer("x.Y", "Do", [.string("it")]) == [.string("it")])
  }

  @Test func invalidCallsAreErrors() {
    #expect(error("x.Y", "Do") == "UnknownMethod")
    #expect(error("x.Y", "Do", [.uint32(1)]) == "UnknownMethod")
    #expect(error("x.Y", "Do", [.string("a"), .string("b")]) == "UnknownMethod")
    #expect(error("x.Y", "Undo") == "UnknownMethod")
    #expect(error("x.Z", "Do", [.string("it")]) == "UnknownMethod")
    #expect(error("x.Y", "Do", [.string("it")], path: "/a") == "UnknownMethod")
    #expect(error("x.Y", "Do", [.string("it")], path: "/c") == "UnknownObject")
    #expect(error(StandardInterface.introspectable, "Introspect", path: "/a/b/c") == "UnknownObject")
    #expect(error(StandardInterface.introspectable, "Introspect", [.string("x")]) == "UnknownMethod")
    let properties = StandardInterface.properties
    #expect(error(properties, "Get", [.string("x.Y")]) == "UnknownMethod")
    #expect(error(properties, "Get", [.string("x.Y"), .string("Q")]) == "InvalidArgs")
    #expect(error(properties, "Get", [.string("x.Z"), .string("P")]) == "InvalidArgs")
    #expect(error(properties, "GetAll", [.string("x.Z")]) == "InvalidArgs")
    let value = DBusValue.variant(.double(2))
    #expect(error(properties, "Set", [.string("x.Y"), .string("P"), value]) == "PropertyReadOnly")
    #expect(error(properties, "Set", [.string("x.Y"), .string("Q"), value]) == "InvalidArgs")
    #expect(error(properties, "Drop", [.string("x.Y")]) == "UnknownMethod")
  }

  @Test("Changes are returned once per interval; equal values and NaN are no changes")
  func changes() {
    var filter = ChangeFilter(interval: 10)
    let first: [String: DBusValue] = ["a": .double(1), "b": .double(.nan)]
    #expect(filter.changes(of: first, at: 0).count == 2)
    #expect(filter.changes(of: first, at: 100).isEmpty && !filter.isPending)
    #expect(filter.changes(of: ["a": .double(2), "b": .double(.nan)], at: 100) == ["a": .double(2)])
    #expect(filter.changes(of: ["a": .double(3), "b": .double(.nan)], at: 105).isEmpty && filter.isPending)
    // The value in between is skipped.
    #expect(filter.changes(of: ["a": .double(4), "b": .double(5)], at: 110).count == 2)
    #expect(!filter.isPending)
  }
}
