import Glibc
import Platform
import Sync
import TestSupport
import Testing

/// Changes of real directories.
@Suite struct FileChangesTests {
  private let home: TemporaryFolder
  private let changes: FileChanges
  private let device = SharedID(bits: 5)

  init() throws {
    home = try TemporaryFolder()
    mkdir(home.file("vault"), 0o700)
    mkdir(home.file("data"), 0o700)
    changes = try FileChanges(vault: home.file("vault"), others: [home.file("data")])
  }

  @Test func changesAreReportedOnce() throws {
    #expect(changes.take().isEmpty)
    try home.write("x", to: "data/stressmon.db-wal")
    #expect(!changes.take().isEmpty)
    #expect(changes.take().isEmpty)
    try home.write("x", to: "vault/stressmon.json")
    #expect(!changes.take().isEmpty)
  }

  @Test func directoriesOfNewDevicesAreWatched() throws {
    mkdir(home.file("vault/\(device)"), 0o700)
    #expect(!changes.take().isEmpty)
    changes.update()
    try home.write("x", to: "vault/\(device)/about.age")
    #expect(!changes.take().isEmpty)
    rename(home.file("vault/\(device)/about.age"), home.file("vault/\(device)/j-00000001.age"))
    #expect(!changes.take().isEmpty)
    unlink(home.file("vault/\(device)/j-00000001.age"))
    #expect(!changes.take().isEmpty)
  }

  /// `history` opens the database for writing, but writes nothing.
  @Test func readingADatabaseIsNoChange() throws {
    let path = try home.write("x", to: "data/stressmon.db")
    #expect(changes.take() == [path])
    let file = try #require(fopen(path, "r+"))
    fclose(file)
    #expect(changes.take().isEmpty)
  }

  /// Like a folder that is unmounted and mounted again.
  @Test func replacedFolderIsWatchedAgain() throws {
    rename(home.file("vault"), home.file("old"))
    rmdir(home.file("old"))
    _ = changes.take()
    mkdir(home.file("vault"), 0o700)
    changes.update()
    try home.write("x", to: "vault/stressmon.json")
    #expect(!changes.take().isEmpty)
  }

  @Test func missingFolderIsNoError() throws {
    _ = try FileChanges(vault: home.file("nowhere"), others: [])
  }
}
