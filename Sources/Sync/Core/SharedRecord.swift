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
  /// Absent if the field was emptied.
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

/// A field of a record: the last writer wins.
///
/// Besides the current version, the last one of this device and the last one of each key epoch are kept, because a version that a
/// forgotten device wrote is removed when the device receives the new key.
package struct SharedField: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var version: FieldVersion
    package var receipt: Receipt
  }

  /// In increasing order of their versions; never empty.
  package private(set) var entries: [Entry]

  package init(_ version: FieldVersion, _ receipt: Receipt = .own) {
    entries = [Entry(version: version, receipt: receipt)]
  }

  package var value: String? { current?.value }
  package var stamp: Stamp? { current?.stamp }
  var current: FieldVersion? { entries.last?.version }

  /// - Returns: Whether the current version changed.
  @discardableResult
  package mutating func merge(_ version: FieldVersion, _ receipt: Receipt = .own) -> Bool {
    let before = current
    if let known = entries.firstIndex(where: { $0.version == version }) {
      entries[known].receipt = entries[known].receipt.earlier(receipt)
    } else {
      let place = entries.firstIndex { $0.version > version } ?? entries.count
      entries.insert(Entry(version: version, receipt: receipt), at: place)
    }
    removeUnneeded()
    return current != before
  }

  private mutating func removeUnneeded() {
    guard entries.count > 1 else { return }
    var epochs: Set<Int?> = []
    entries = entries.reversed().filter { epochs.insert($0.receipt.isOwn ? nil : $0.receipt.epoch).inserted }
      .reversed()
  }

  /// The field without versions that are not trusted, if any remains.
  func keeping(_ isTrusted: (Receipt) -> Bool) -> SharedField? {
    var field = self
    field.entries.removeAll { !isTrusted($0.receipt) }
    return field.entries.isEmpty ? nil : field
  }
}
