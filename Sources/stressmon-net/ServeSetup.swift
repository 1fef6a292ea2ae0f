import Dashboard
import Glibc
import History
import Localization
import Logging
import NetworkCommands
import Platform
import Reports
import Stress

/// The options of a server after the command line, the environment, and the settings of stressmon.
struct ServeSetup {
  let environment = ProcessEnvironment.current
  let options: DashboardOptions
  /// Whether the database is a temporary one.
  let isTemporary: Bool

  init(_ command: ServeOptions) async throws {
    let path = try MeasuringProgram.find()
    let settings = await Settings(path)
    var profile = command.profile ?? settings.profile ?? ProfileCheck.usual
    isTemporary = command.simulate && command.database == nil
    let location = try settings.location(
      isTemporary ? Folder.createTemporary(for: "serve") + "/stressmon.db" : command.database, environment)
    if profile != ProfileCheck.usual {
      if isTemporary { _ = try HistoryWriter(location).addProfile(profile) }
      profile = try ProfileCheck(location).require(profile, from: command.profile == nil ? .setting : .option)
    }
    var options = DashboardOptions(
      profile: profile, location: location, metric: settings.metric, storeInterval: settings.storeInterval,
      program: MeasuringProgram(path: path, database: location.path, profile: profile),
      tokens: .tokens(environment), browsers: .browsers(environment), codes: try LoginCodes(environment),
      host: try PrivateHost(environment),
      audit: AuditLog(includesReading: command.verbose) { printDiagnostic($0, .information) },
      logger: Self.logger)
    options.catalogues = LanguageCatalogues(folders: environment.catalogueFolders)
    options.fonts = PageFonts(folders: environment.fontFolders)
    if let port = command.port ?? settings.servePort { options.port = port }
    options.isReadOnly = command.isReadOnly
    options.isDeveloper = command.developer
    options.isSimple = settings.text("simple") == "on"
    options.otherUsers = Set(command.allowedUsers.map(Self.user))
    self.options = options
  }

  /// The ID of a user. Ends the process for an unknown name.
  private static func user(_ name: String) -> uid_t {
    guard let entry = unsafe getpwnam(name) else {
      fail(Phrase("there is no user '\(name)'; list the users with: getent passwd"), status: 64)
    }
    return unsafe entry.pointee.pw_uid
  }

  private static var logger: Logger {
    var logger = Logger(label: "stressmon") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    return logger
  }
}
