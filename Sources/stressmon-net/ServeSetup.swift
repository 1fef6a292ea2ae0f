import Dashboard
import Glibc
import History
import JSONLines
import Localization
import Logging
import Platform
import Stress

/// The options of a server after the command line, the environment, and the settings of stressmon.
struct ServeSetup {
  let environment = ProcessEnvironment.current
  let options: DashboardOptions
  /// Whether the database is a temporary one.
  let isTemporary: Bool

  init(_ command: Serve) async throws {
    let path = try Self.measuringProgram()
    let settings = await Settings(path)
    let profile = command.profile ?? settings.profile ?? "me"
    isTemporary = command.simulate && command.database == nil
    let database =
      isTemporary
      ? try Self.temporaryDatabase()
      : command.database ?? environment["STRESSMON_DB"] ?? settings.database(environment)
    let location = try StoreLocation(path: database, environment: environment.variables)
    var options = DashboardOptions(
      profile: profile, location: location, metric: settings.metric, storeInterval: settings.storeInterval,
      program: MeasuringProgram(path: path, database: location.path, profile: profile),
      tokens: TokenStore(environment), audit: AuditLog(print: printDiagnostic), logger: Self.logger)
    options.catalogues = LanguageCatalogues(folders: environment.catalogueFolders)
    (options.port, options.isReadOnly) = (command.port, command.isReadOnly)
    self.options = options
  }

  private static var logger: Logger {
    var logger = Logger(label: "stressmon") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    return logger
  }

  /// The program that measures: in the directory of this program, or in `bin` beside its libexec directory.
  private static func measuringProgram() throws -> String {
    let folder = Folder.ofProgram
    let candidates = ["\(folder)/stressmon", "\(folder)/../../bin/stressmon"]
    guard let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw ServeSetupError.noProgram(folder)
    }
    return found
  }

  private static func temporaryDatabase() throws -> String {
    let base = ProcessEnvironment.current["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/stressmon-serve-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw FileError(errno: errno, path: base) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      + "/stressmon.db"
  }
}

/// A failure to start. The description states what to type next.
enum ServeSetupError: Error, CustomStringConvertible {
  case noProgram(String)

  var description: String {
    switch self {
    case .noProgram(let folder):
      "the program stressmon is not in \(folder). Install the package stressmon, or copy both programs to one directory"
    }
  }
}

/// The settings of stressmon, which it prints itself, so that they are read in one place only.
private struct Settings {
  private var object: JSONObject?

  init(_ program: String) async {
    let settings = MeasuringProgram(path: program, database: "", profile: "")
    object = await settings.output(["config", "show", "--json"]).flatMap { try? JSONObject($0) }
  }

  private func text(_ key: StaticString) -> String? {
    guard let object else { return nil }
    return object[key].flatMap(object.string)
  }

  var profile: String? { text("profile") }
  var metric: HRVMetric { text("hrv").flatMap(HRVMetric.init(rawValue:)) ?? .rmssd }

  /// Session time between stored measurements, such as `10s`; 10 s if it is not set.
  var storeInterval: Duration {
    guard let text = text("store-every"), let unit = text.last else { return .seconds(10) }
    let seconds = ["s": 1, "m": 60, "h": 3600][unit]
    return (seconds == nil ? Int(text) : Int(text.dropLast())).map { .seconds($0 * (seconds ?? 1)) }
      ?? .seconds(10)
  }

  /// The setting `database`, with `~/` as the home directory.
  func database(_ environment: ProcessEnvironment) -> String? {
    guard let path = text("database"), path.hasPrefix("~/"), let home = environment["HOME"] else {
      return text("database")
    }
    return home + path.dropFirst()
  }
}
