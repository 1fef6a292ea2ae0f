import DBus

/// A copy of BlueZ's objects: paths, their interfaces, and the properties of the interfaces.
struct ObjectTree: Equatable, Sendable {
  typealias Properties = [String: DBusValue]

  private(set) var objects: [String: [String: Properties]] = [:]
  /// The paths of the objects by interface.
  private var paths: [String: Set<String>] = [:]

  init() {}

  /// Reads the reply of `GetManagedObjects`. Fails if its type is not `a{oa{sa{sv}}}`.
  init?(managedObjects reply: [DBusValue]) {
    guard let objects = reply.first?.dictionary else { return nil }
    for (path, interfaces) in objects { add(path, interfaces: interfaces.dictionary ?? [:]) }
  }

  /// Applies a signal; false if it is not one that changes the tree.
  mutating func apply(_ signal: IncomingMessage) -> Bool {
    let arguments = signal.arguments
    switch (signal.interface, signal.member) {
    case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded"):
      guard arguments.count >= 2, let path = arguments[0].objectPath else { return false }
      add(path, interfaces: arguments[1].dictionary ?? [:])
    case ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved"):
      guard arguments.count >= 2, let path = arguments[0].objectPath else { return false }
      remove(path, interfaces: arguments[1].strings ?? [])
    case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
      guard arguments.count >= 3, let interface = arguments[0].string else { return false }
      change(
        signal.path, interface, to: arguments[1].dictionary ?? [:], invalidated: arguments[2].strings ?? [])
    default:
      return false
    }
    return true
  }

  /// The object that a signal concerns that ``apply(_:)`` has applied.
  static func path(of signal: IncomingMessage) -> String {
    signal.member == "PropertiesChanged" ? signal.path : signal.arguments.first?.objectPath ?? signal.path
  }

  private mutating func add(_ path: String, interfaces: [String: DBusValue]) {
    for (interface, properties) in interfaces {
      objects[path, default: [:]][interface] = properties.dictionary ?? [:]
      paths[interface, default: []].insert(path)
    }
  }

  private mutating func remove(_ path: String, interfaces: [String]) {
    for interface in interfaces {
      objects[path]?[interface] = nil
      paths[interface]?.remove(path)
      if paths[interface]?.isEmpty == true { paths[interface] = nil }
    }
    if objects[path]?.isEmpty == true { objects[path] = nil }
  }

  /// Ignores changes of unknown objects, which may already have been removed.
  private mutating func change(
    _ path: String, _ interface: String, to changed: [String: DBusValue], invalidated: [String]
  ) {
    guard objects[path]?[interface] != nil else { return }
    for (name, value) in changed { objects[path]?[interface]?[name] = value }
    for name in invalidated { objects[path]?[interface]?[name] = nil }
  }

  /// Replaces all properties of an interface, if it exists.
  mutating func replace(_ path: String, _ interface: String, with properties: Properties) {
    guard objects[path]?[interface] != nil else { return }
    objects[path]?[interface] = properties
  }

  /// The properties of `interface` at `path`, if the object has this interface.
  func properties(of interface: String, at path: String) -> Properties? { objects[path]?[interface] }

  /// All objects that have `interface`, sorted by path.
  func all(with interface: String) -> [(path: String, properties: Properties)] {
    (paths[interface] ?? []).sorted().compactMap { path in
      properties(of: interface, at: path).map { (path, $0) }
    }
  }
}
