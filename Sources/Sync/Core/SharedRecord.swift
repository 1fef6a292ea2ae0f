/// What a shared record describes. Kinds of later versions are kept and passed on.
package struct RecordKind: Hashable, Comparable, Sendable {
  package let name: String
  package init(_ name: String) { self.name = name }

  package static let journal = RecordKind("journal")
  package static let profile = RecordKind("profile")
  package static let strap = RecordKind("strap")
  package static let setting = RecordKind("setting")
  /// Deleted times of a session: the identifier is that of the session, and each field a range of times.
  package static let cut = RecordKind("cut")

  package static func < (a: RecordKind, b: RecordKind) -> Bool { a.name < b.name }
}

package struct RecordKey: Hashable, Comparable, Sendable {
  package var kind: RecordKind
  package var id: SharedID

  package init(_ kind: RecordKind, _ id: SharedID) {
    self.kind = kind
    self.id = id
  }

  package static func < (a: RecordKey, b: RecordKey) -> Bool { (a.kind, a.id) < (b.kind, b.id) }
}

/// One value that a field had.
package struct FieldVersion: Hashable, Comparable, Sendable {
  package var stamp: Stamp
  /// Nil if the field was emptied.
  package var value: String?

  package init(_ value: String?, _ stamp: Stamp) {
    self.value = value
    self.stamp = stamp
  }

  /// By stamp, then by value, which only decides if a restored device used a stamp twice. A missing value comes first.
  package static func < (a: FieldVersion, b: FieldVersion) -> Bool {
    if a.stamp != b.stamp { return a.stamp < b.stamp }
    guard let last = b.value else { return false }
    return a.value.map { $0 < last } ?? true
  }
}

/// A field of a record: the last writer wins, and overwritten values are kept as history.
///
/// The versions are the latest ``limit`` of the union of all versions ever merged, so a merge is commutative, associative and
/// idempotent.
package struct SharedField: Hashable, Sendable {
  package static let limit = 16

  /// In increasing order; never empty.
  package private(set) var versions: [FieldVersion]

  package init(_ version: FieldVersion) { versions = [version] }

  package var value: String? { versions.last?.value }
  package var stamp: Stamp? { versions.last?.stamp }
  /// The values before the current one, the latest first.
  package var overwritten: [FieldVersion] { versions.dropLast().reversed() }

  /// - Returns: False if nothing changed.
  @discardableResult
  package mutating func merge(_ version: FieldVersion) -> Bool {
    var place = versions.count
    while place > 0, versions[place - 1] > version { place -= 1 }
    if place > 0, versions[place - 1] == version { return false }
    guard place > 0 || versions.count < Self.limit else { return false }
    versions.insert(version, at: place)
    if versions.count > Self.limit { versions.removeFirst() }
    return true
  }
}
