import FoundationEssentials
import Localization
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite struct ConfigurationTests {
  private let folder: TemporaryFolder
  private let environment: ProcessEnvironment

  init() throws {
    folder = try TemporaryFolder()
    environment = ProcessEnvironment(variables: ["XDG_CONFIG_HOME": folder.path, "HOME": "/nowhere"])
  }

  private var path: String { folder.file("stressmon/config.toml") }
  private var text: String? {
    (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("stressmon"), withIntermediateDirectories: true)
    try folder.write(text, to: "stressmon/config.toml")
  }

  /// The error of reading the file.
  private func failure(_ text: String) throws -> String? {
    try write(text)
    do {
      _ = try Configuration(environment: environment)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func aMissingFileHasNoSettings() throws {
    let configuration = try Configuration(environment: environment)
    #expect(configuration.path == path)
    for key in Configuration.Key.allCases { #expect(configuration[key] == nil) }
    #expect(text == nil)
  }

  @Test func theDefaultPathIsInTheHomeFolder() {
    #expect(
      Configuration.path(ProcessEnvironment(variables: ["HOME": "/home/anna"]))
        == "/home/anna/.config/stressmon/config.toml")
    // XDG Base Directory Specification: a relative path is ignored.
    let relative = ProcessEnvironment(variables: ["HOME": "/home/anna", "XDG_CONFIG_HOME": "here"])
    #expect(Configuration.path(relative) == "/home/anna/.config/stressmon/config.toml")
  }

  @Test func aSettingIsChangedAndEveryOtherLineIsKept() throws {
    try write(
      "# mine\n\nprofile = 'anna'   # me\nwindow = \"60s\"  # a minute\n#window = \"30s\"\nhrv=\"sdnn\"")
    var configuration = try Configuration(environment: environment)
    #expect(
      configuration[.profile] == "anna" && configuration[.window] == "60s" && configuration[.hrv] == "sdnn")
    try configuration.set(.window, to: "2m")
    #expect(
      text
        == "# mine\n\nprofile = 'anna'   # me\nwindow = \"2m\"  # a minute\n#window = \"30s\"\nhrv=\"sdnn\"\n"
    )
    try configuration.set(.storeEvery, to: "5s")
    #expect(text?.hasSuffix("hrv=\"sdnn\"\nstore-every = \"5s\"\n") == true)
    #expect(try Configuration(environment: environment)[.window] == "2m")
  }

  @Test(arguments: ["Polar \"H10\" #1", "back\\slash", "tab\there", "日本 = Zoë", "#", "'", "\u{7F}\u{1}"])
  func anyTextIsPreserved(value: String) throws {
    var configuration = try Configuration(environment: environment)
    try configuration.set(.strap, to: value)
    try configuration.set(.window, to: "60s")
    #expect(try Configuration(environment: environment)[.strap] == value)
    try configuration.set(.strap, to: "other")
    #expect(text == "strap = \"other\"\nwindow = \"60s\"\n")
  }

  @Test func numbersAreAcceptedWithoutQuotes() throws {
    try write("window = 90\nstore-every = 2.5\n")
    let configuration = try Configuration(environment: environment)
    #expect(configuration[.window] == "90" && configuration[.storeEvery] == "2.5")
  }

  @Test func errorsContainTheirPlace() throws {
    #expect(try failure("window = \"60s\"\nprofile = \n")?.hasPrefix("\(path), line 2, column ") == true)
    #expect(try failure("window = \"60s\nprofile = \"anna\"\n")?.contains("line 1") == true)
    #expect(try failure("colour = \"red\"\n") == nil)
    #expect(try failure("window = \"9h\"\n")?.contains("'9h' is not valid for window (\(path))") == true)
    #expect(try failure("window = true\n")?.contains("is not valid for window") == true)
    #expect(try failure("window = [60]\n")?.contains("is not valid for window") == true)
    #expect(try failure("[window]\n")?.contains("is not valid for window") == true)
    #expect(try failure("profile = \"\"\n")?.contains("is not valid for profile") == true)
  }

  @Test func aFileThatIsNotTextIsRejected() throws {
    try write("")
    try Data([0xFF, 0xFE, 0x00]).write(to: URL(filePath: path))
    #expect(throws: ConfigurationError.self) { try Configuration(environment: environment) }
  }

  @Test func anInvalidValueChangesNothing() throws {
    try write("window = \"60s\"\n")
    var configuration = try Configuration(environment: environment)
    for (key, value) in [
      (Configuration.Key.window, "29s"), (.window, "301"), (.hrv, "pnn50"), (.profile, ""), (.strap, ""),
      (.storeEvery, "0"), (.storeEvery, "2h"),
    ] {
      #expect(throws: ConfigurationError.self) { try configuration.set(key, to: value) }
    }
    #expect(text == "window = \"60s\"\n")
  }

  @Test func aSymbolicLinkIsKept() throws {
    try write("")
    try folder.write("window = \"60s\"\n", to: "dotfiles.toml")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.file("dotfiles.toml"))
    var configuration = try Configuration(environment: environment)
    try configuration.set(.window, to: "90s")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == folder.file("dotfiles.toml"))
    #expect(text == "window = \"90s\"\n")
  }

  @Test func eachExampleIsValid() {
    for key in Configuration.Key.allCases {
      #expect(key.isValid(key.example.filter { $0 != "\"" }))
      #expect(!Language.english.text(key.meaning).isEmpty && !Language.english.text(key.validValues).isEmpty)
    }
  }
}
