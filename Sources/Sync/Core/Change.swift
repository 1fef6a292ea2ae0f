/// Identifies what a session contains: its profile and the fingerprint that `import` computes. Sessions with equal content are
/// one session, whatever their identifiers are.
package struct SessionContent: Hashable, Comparable, Sendable {
  package var profile: SharedID
  package var fingerprint: UInt128

  package init(profile: SharedID, fingerprint: UInt128) {
    self.profile = profile
    self.fingerprint = fingerprint
  }

  package static func < (a: SessionContent, b: SessionContent) -> Bool {
    (a.profile, a.fingerprint) < (b.profile, b.fingerprint)
  }
}

/// What a tombstone deletes.
package enum Deleted: Hashable, Comparable, Sendable {
  case record(RecordKey)
  case session(SharedID)
  case content(SessionContent)
}

/// One change of the shared state: a line of a file `j-<number>.age`.
package enum Change: Hashable, Sendable {
  case set(RecordKey, field: String, FieldVersion)
  case delete(Deleted, Stamp)
  /// The device lost access to the vault: a new key excludes it.
  case forget(SharedID, Stamp)
  /// The device continues under another identifier.
  case retire(SharedID, Stamp)

  package var stamp: Stamp {
    switch self {
    case .set(_, _, let version): version.stamp
    case .delete(_, let stamp), .forget(_, let stamp), .retire(_, let stamp): stamp
    }
  }

  /// The record whose values the change contains.
  package var record: RecordKey? {
    if case .set(let key, _, _) = self { key } else { nil }
  }
}
