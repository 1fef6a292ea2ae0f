import Glibc
import Testing

@testable import History

@Suite struct StoreLocationTests {
  @Test(
    "The option goes before the variable, which goes before the folder for data",
    arguments: [
      ("/a/x.db", ["STRESSMON_DB": "/b/y.db", "HOME": "/home/u"], "/a/x.db"),
      (nil, ["STRESSMON_DB": "/b/y.db", "HOME": "/home/u"], "/b/y.db"),
      (nil, ["STRESSMON_DB": "", "XDG_DATA_HOME": "/d", "HOME": "/home/u"], "/d/stressmon/stressmon.db"),
      (nil, ["XDG_DATA_HOME": "relative", "HOME": "/home/u"], "/home/u/.local/share/stressmon/stressmon.db"),
      (nil, ["HOME": "/home/u"], "/home/u/.local/share/stressmon/stressmon.db"),
    ] as [(String?, [String: String], String)])
  func order(path: String?, environment: [String: String], expected: String) throws {
    #expect(try StoreLocation(path: path, environment: environment).path == expected)
  }

  @Test("A relative path is held against the folder of now")
  func relative() throws {
    let path = try StoreLocation(path: "x.db", environment: [:]).path
    #expect(path.hasPrefix("/") && path.hasSuffix("/x.db"))
  }

  @Test("Where nothing says a place, the error says what to set", arguments: [nil, ""] as [String?])
  func nowhere(path: String?) throws {
    let error = #expect(throws: HistoryError.self) { try StoreLocation(path: path, environment: [:]) }
    #expect(error?.code == .noFolder)
    #expect(error?.description.contains("--db PATH") == true)
  }

  @Test("Folder and files are the owner's alone, whatever the umask")
  func modes() throws {
    let history = try TemporaryHistory()
    let before = umask(0)
    defer { umask(before) }
    try expectHiddenOnceWritten(history)
  }

  @Test("What others could read is hidden from them when it is opened")
  func tightens() throws {
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

  @Test("A folder that the person chose keeps its mode")
  func chosenFolder() throws {
    let history = try TemporaryHistory()
    chmod(history.folder, 0o755)
    _ = try HistoryWriter(StoreLocation(path: history.folder + "/mine.db", environment: [:]))
    #expect(mode(history.folder) == 0o755)
    #expect(mode(history.folder + "/mine.db") == 0o600)
  }
}
