import DBus

/// The interfaces of an object and their properties.
typealias Interfaces = [String: [String: DBusValue]]

/// The interfaces that gdbus adds to every object.
let commonInterfaces: Interfaces = [
  "org.freedesktop.DBus.Introspectable": [:], "org.freedesktop.DBus.Properties": [:],
]

extension Interfaces {
  /// `a{sa{sv}}`.
  var value: DBusValue {
    .array(
      of: "{sa{sv}}",
      sorted { $0.key < $1.key }.map { .entry(.string($0.key), .properties($0.value)) })
  }
}

enum Interface {
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = StandardInterface.properties
  static let introspectable = StandardInterface.introspectable
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let battery = "org.bluez.Battery1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let descriptor = "org.bluez.GattDescriptor1"
  static let agentManager = "org.bluez.AgentManager1"
  static let agent = "org.bluez.Agent1"
}

extension DaemonState {
  /// Adds interfaces to `path` and signals them.
  func export(_ path: String, _ interfaces: Interfaces) {
    let isNew = objects[path] == nil
    let added = isNew ? interfaces.merging(commonInterfaces) { own, _ in own } : interfaces
    objects[path, default: [:]].merge(added) { _, new in new }
    emit("/", Interface.objectManager, "InterfacesAdded", [.objectPath(path), added.value])
  }

  /// Removes one interface of `path`, or the object if nil, and signals it.
  func unexport(_ path: String, _ interface: String? = nil) {
    guard let present = objects[path] else { return }
    let gone = interface.map { name in present[name] == nil ? [] : [name] } ?? present.keys.sorted()
    guard !gone.isEmpty else { return }
    if interface == nil { objects[path] = nil } else { for name in gone { objects[path]?[name] = nil } }
    emit("/", Interface.objectManager, "InterfacesRemoved", [.objectPath(path), .strings(gone)])
  }

  /// Removes all objects below `path`, the deepest first, and then `path`.
  func unexportTree(_ path: String) {
    for child in objects.keys.filter({ $0.hasPrefix(path + "/") }).sorted(by: >) { unexport(child) }
    unexport(path)
  }

  /// Sets properties and signals them in one message.
  func publish(
    _ path: String, _ interface: String, _ changed: [String: DBusValue], invalidated: [String] = []
  ) {
    guard objects[path]?[interface] != nil else { return }
    objects[path]?[interface]?.merge(changed) { _, new in new }
    for name in invalidated { objects[path]?[interface]?[name] = nil }
    emitChange(path, interface, changed, invalidated: invalidated)
  }

  func emitChange(
    _ path: String, _ interface: String, _ changed: [String: DBusValue], invalidated: [String] = []
  ) {
    emit(
      path, Interface.properties, "PropertiesChanged",
      [.string(interface), .properties(changed), .strings(invalidated)])
  }

  /// The names of the interfaces and of the children, for tools that display the tree.
  func introspection(of path: String) -> String {
    let prefix = path == "/" ? path : path + "/"
    let below = objects.keys.filter { $0.hasPrefix(prefix) }
    let children = Set(below.compactMap { $0.dropFirst(prefix.count).split(separator: "/").first })
    let interfaces = (objects[path] ?? [:]).keys.sorted().map { "<interface name=\"\($0)\"/>" }
    return "<node>" + interfaces.joined() + children.sorted().map { "<node name=\"\($0)\"/>" }.joined()
      + "</node>"
  }

  func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
    guard let connection, let signal = DBusMessage.signal(path, interface, member, arguments) else { return }
    connection.send(signal)
  }
}
