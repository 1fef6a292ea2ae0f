package import History

extension StoredHistory {
  /// Stores another path of the folder, which was moved.
  package mutating func setFolder(_ path: String) throws(HistoryError) {
    guard let membership = try membership() else { return }
    try write { rows in
      try rows.setVault(folder: path, vault: membership.vault.text, name: membership.name)
    }
  }
}
