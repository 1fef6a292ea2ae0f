/// A key of the vault. The current one is the greatest whose writer is not forgotten: the latest epoch, and of two devices that
/// re-keyed at the same time, that of the greater device.
package struct VaultKey: Hashable, Comparable, Sendable {
  package var epoch: Int
  package var writer: SharedID

  package init(epoch: Int, writer: SharedID) {
    self.epoch = epoch
    self.writer = writer
  }

  package static func < (a: VaultKey, b: VaultKey) -> Bool { (a.epoch, a.writer) < (b.epoch, b.writer) }
}

/// What the file of a key contains, besides the identity. It is encrypted with the passphrase, which a forgotten device does not
/// know, so it is trusted before any file for the key is read.
package struct KeyAnnouncement: Hashable, Sendable {
  package var key: VaultKey
  /// The device that the key excludes. The first key excludes none.
  package var forgotten: SharedID?
  package var stamp: Stamp
  /// The version of the latest `about.age` of each device that the writer had read; empty in key files of earlier versions.
  package var known: [SharedID: Int]

  package init(key: VaultKey, forgotten: SharedID?, stamp: Stamp, known: [SharedID: Int] = [:]) {
    (self.key, self.forgotten, self.stamp, self.known) = (key, forgotten, stamp, known)
  }
}

/// When this device received a change or a file of another device.
///
/// A device that does not have a new key yet may receive what the forgotten device wrote after it was forgotten. Clocks cannot
/// separate this from earlier changes, because they may be wrong. Causality does: each `about.age` of this device states which
/// files it had read, and the announcement of a key contains the version of the `about.age` that the writer of the key knew
/// (``KeyAnnouncement/known``). What that `about.age` states was received before the device was forgotten.
package struct Receipt: Hashable, Sendable {
  /// The version of this device's `about.age` that is the first to state it; 0 for changes of this device itself.
  package var about: Int
  /// The epoch of the key of its file.
  package var epoch: Int

  package init(about: Int, epoch: Int) { (self.about, self.epoch) = (about, epoch) }

  /// Of a change of this device, and of what a program stored that recorded no receipts.
  package static let own = Receipt(about: 0, epoch: 0)

  package var isOwn: Bool { about == 0 }

  /// The earlier of two receipts of one change.
  func earlier(_ other: Receipt) -> Receipt { other.about < about ? other : self }
}

/// A stamp that was received.
package struct ReceivedStamp: Hashable, Sendable {
  package var stamp: Stamp
  package var receipt: Receipt

  package init(_ stamp: Stamp, _ receipt: Receipt) { (self.stamp, self.receipt) = (stamp, receipt) }
}

extension KeyAnnouncement {
  /// Whether `device` received it before the key was created, or in a file for this key or a later one.
  func covers(_ receipt: Receipt, on device: SharedID) -> Bool {
    receipt.about <= known[device] ?? 0 || receipt.epoch >= key.epoch
  }
}
