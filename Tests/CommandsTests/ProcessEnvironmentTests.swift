import Platform
import Testing

@testable import Commands

@Suite struct ProcessEnvironmentTests {
  @Test(
    "An empty or relative HOME is replaced by the home directory of the passwd entry",
    arguments: ["", "relative", nil])
  func homeOfPasswordDatabase(home: String?) {
    let environment = ProcessEnvironment.withUsableFolders(
      home.map { ["HOME": $0] } ?? [:], home: "/home/anna")
    #expect(environment["HOME"] == "/home/anna")
    #expect(
      Configuration.path(ProcessEnvironment(variables: environment))
        == "/home/anna/.config/stressmon/config.toml"
    )
  }

  @Test("Empty and relative XDG variables are ignored, absolute ones kept")
  func foldersOfTheSpecification() {
    let environment = ProcessEnvironment.withUsableFolders(
      [
        "HOME": "/home/ben", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "data", "XDG_RUNTIME_DIR": "/run/user/1",
        "LANG": "",
      ], home: "/nowhere")
    #expect(environment == ["HOME": "/home/ben", "XDG_RUNTIME_DIR": "/run/user/1", "LANG": ""])
  }
}
