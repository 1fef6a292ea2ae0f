import Glibc
import Testing

@testable import History

@Suite struct StoreLocationTests {
  @Test(
    arguments: [
      ("/a/x.db", ["STRESSMON_DB": "/b/y.db", "HOME": "/home/u"], "/a/x.db"),
      (nil, ["STRESSMON_DB": "/b/y.db", "HOME": "/home/u"], "/b/y.db"),
      (nil, ["STRESSMON_DB": "", "XDG_DATA_HOME": "/d", "HOME": "/home/u"], "/d/stressmon/stressmon.db"),
      (nil, ["XDG_DATA_HOME": "relative", "HOME": "/home/u"], "/home/u/.local/share/stressmon/stressmon.db"),
      (nil, ["HOME": "/home/u"], "/home/u/.local/share/stressmon/stressmon.db"),
    ] as [(String?, [String: String], String)])
  func thePathIsChosenInOrder(path: String?, environment: [String: String], expected: String) throws {
    #expect(try StoreLocation(path: path, environment: environment).path == expected)
  }

  @Test func aRelativePathIsResolvedAgainstTheWorkingDirectory() throws {
    let path = try StoreLocation(path: "x.db", environment: [:]).path
    #expect(path.hasPrefix("/") && path.hasSuffix("/x.db"))
  }

  @Test(arguments: [nil, ""] as [String?])
  func anErrorStatesWhichVariableToSet(path: String?) throws {
    let error = #expect(throws: HistoryError.self) { try StoreLocation(path: path, environment: [:]) }
    #expect(error?.code == .noFolder)
    #expect(error?.description.contains("--db PATH") == true)
  }

  @Test func folderAndFilesAreForTheOwnerOnly() throws {
    let history = try TemporaryHistory()
    let before = umask(0)
    defer { umask(before) }
    try expectHiddenOnceWritten(history)
  }

  @Test func openingRestrictsPermissions() throws {
    let history = try TemporaryHistory()
    _ = try HistoryWriter(history.location)
    for suffix in ["", "-wal", "-shm"] { chmod(history.path + suffix, 0o644) }
    chmod(history.location.folder, 0o755)
    try expectHiddenOnceWritten(history)
  }

  private func expectHiddenOnceWritten(_ history: TemporaryHistory) throws {
    let writer = try HistoryWriter(history.location)
    try writer.removeBaseline(of: "me")
    #expect(mode(history.location.folder) == 0o700)
    for suffix in ["", "-wal", "-shm"] { #expect(mode(history.path + suffix) == 0o600, "\(suffix)") }
  }

  @Test func aChosenFolderKeepsItsMode() throws {
    let history = try TemporaryHistory()
    chmod(history.folder, 0o755)
    _ = try HistoryWriter(StoreLocation(path: history.folder + "/mine.db", environment: [:]))
    #expect(mode(history.folder) == 0o755)
    #expect(mode(history.folder + "/mine.db") == 0o600)
  }
}
