internal import GRDB
package import HeartRate
package import Stress

/// Changes what the history knows of a profile: its baseline and its straps. Each change is on the disk when the
/// call returns. Sessions are written by ``SessionWriter``.
package struct HistoryWriter: Sendable {
  let connection: StoreConnection

  /// Opens the history; makes it, and brings its tables up to date, where needed.
  package init(_ location: StoreLocation) throws(HistoryError) {
    connection = try StoreConnection.writable(location, patience: .seconds(5))
    SecureErase.finishIfDue(connection)
  }

  /// Makes `baseline` the one in force for `profile`.
  /// - Throws: ``HistoryError``; its values must be numbers.
  package func setBaseline(_ baseline: Baseline, of profile: String, at time: WallTime) throws(HistoryError) {
    try connection.write { try ProfileRow.set($0, baseline, of: profile, at: time) }
  }

  /// From now on the prior holds for `profile`.
  package func removeBaseline(of profile: String) throws(HistoryError) {
    try connection.write { try ProfileRow.removeBaseline($0, of: profile) }
  }

  /// Remembers that `profile` used `strap`.
  package func remember(_ strap: RememberedStrap, for profile: String) throws(HistoryError) {
    try connection.write { try ProfileRow.remember($0, strap, for: profile) }
  }

  /// Forgets the strap with `address`; its sessions stay. False when it was not remembered.
  @discardableResult
  package func forgetStrap(address: String, of profile: String) throws(HistoryError) -> Bool {
    try connection.write { try ProfileRow.forget($0, address: address, of: profile) }
  }
}
