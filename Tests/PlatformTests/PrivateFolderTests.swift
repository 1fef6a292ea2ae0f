import Glibc
import Platform
import TestSupport
import Testing

/// Regression: without XDG_RUNTIME_DIR, another user can create the runtime folder first.
@Suite struct PrivateFolderTests {
  private let folder: TemporaryFolder
  private let environment: ProcessEnvironment

  init() throws {
    folder = try TemporaryFolder()
    environment = ProcessEnvironment(variables: ["XDG_RUNTIME_DIR": folder.path])
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test func foldersAreCreatedForThisUserOnlyAndTheirModeIsCorrected() throws {
    let path = try environment.privateFolder("serve", "codes")
    #expect(path == folder.file("stressmon/serve/codes"))
    for part in ["stressmon", "stressmon/serve", "stressmon/serve/codes"] {
      #expect(mode(folder.file(part)) == 0o700)
      unsafe chmod(folder.file(part), 0o777)
    }
    _ = try environment.privateFolder("serve", "codes")
    for part in ["stressmon", "stressmon/serve", "stressmon/serve/codes"] {
      #expect(mode(folder.file(part)) == 0o700)
    }
  }

  @Test(arguments: ["stressmon", "stressmon/serve"])
  func aLinkAndAFileAreRejected(name: String) throws {
    try Folder.create(folder.file("stressmon"))
    try Folder.create(folder.file("other"))
    if name == "stressmon" { unsafe rmdir(folder.file(name)) }
    #expect(unsafe symlink(folder.file("other"), folder.file(name)) == 0)
    #expect(throws: FileError(.notPermitted, path: folder.file(name))) {
      try environment.privateFolder("serve")
    }
    unsafe unlink(folder.file(name))
    try folder.write("x", to: name)
    #expect(throws: FileError.self) { try environment.privateFolder("serve") }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another user"))
  func aFolderOfAnotherUserIsRejected() throws {
    try Folder.create(folder.file("stressmon"))
    #expect(unsafe chown(folder.file("stressmon"), 65534, 65534) == 0)
    #expect(throws: FileError(.notPermitted, path: folder.file("stressmon"))) {
      try environment.privateFolder("serve")
    }
  }
}
