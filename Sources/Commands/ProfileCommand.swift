import ArgumentParser
import HeartRate
import History
import JSONLines
import Localization
import Platform
import Reports
import Stress
import Terminal

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "List, add, rename and delete profiles.",
    discussion: """
      A profile is one person, with a baseline, straps, sessions and a journal.
      Example: stressmon profile add anna
      """,
    subcommands: [List.self, Add.self, Rename.self, Remove.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List all profiles and the amount of their data.",
      discussion: "Example: stressmon profile list --json")

    @Flag(name: .long, help: "Print one JSON object per profile.")
    var json = false

    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func run() throws {
      let environment = ProcessEnvironment.current
      let configuration = try Configuration(environment: environment)
      let reader = try HistoryReader(database.location(configuration, environment, mustExist: true))
      try StandardOutput().write(ProfileReport(profiles: reader?.profileContents() ?? []), asJSON: json)
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Create a profile.",
      discussion: "Example: stressmon profile add anna")

    @Argument(help: "The name of the new profile, 1 to 64 characters.", completion: .list([]))
    var name: ProfileName

    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func validate() throws { try name.requireNew() }

    func run() throws {
      let environment = ProcessEnvironment.current
      let location = try database.location(Configuration(environment: environment), environment)
      guard try HistoryWriter(location).addProfile(name.name) else {
        throw CommandFailure(
          .failed,
          Phrase(
            "the profile '\(name.name.printable)' exists already. List the profiles with: \("stressmon profile list")"
          ))
      }
      printDiagnostic(
        "stressmon: created the profile '\(name.name.printable)'; measure with: "
          + "stressmon measure --profile \(HistoryError.quoted(name.name.printable))")
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: "Rename a profile; its data are kept.",
      discussion: "Example: stressmon profile rename me anna")

    @Argument(help: "The current name.")
    var name: ProfileName

    @Argument(help: "The new name.", completion: .list([]))
    var newName: ProfileName

    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func validate() throws { try newName.requireNew() }

    func run() throws {
      let environment = ProcessEnvironment.current
      let configuration = try Configuration(environment: environment)
      let context = try CommandContext(of: name, database, configuration, environment)
      try HistoryWriter(context.location).renameProfile(
        context.profile, to: newName.name, at: context.location, time: SystemClock.wall)
      printDiagnostic("stressmon: renamed profile '\(name.name.printable)' to '\(newName.name.printable)'")
      try renameDefault(configuration)
    }

    /// Keeps the profile the default one. With `--db`, the setting remains, because it applies to the usual database.
    private func renameDefault(_ configuration: Configuration) throws {
      guard database.path == nil, (configuration[.profile] ?? ProfileCheck.usual) == name.name else { return }
      var configuration = configuration
      do {
        try configuration.set(.profile, to: newName.name)
      } catch {
        let command = "stressmon config set profile \(HistoryError.quoted(newName.name.printable))"
        throw CommandFailure(
          .failed,
          Phrase(
            "the profile is renamed, but the setting 'profile' is not: \(Phrase(of: error)). Change it with: \(command)"
          ))
      }
      printDiagnostic(
        "stressmon: it remains the default profile; the setting 'profile' is '\(newName.name.printable)' now")
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a profile and all its data permanently.",
      discussion: "Example: stressmon profile delete anna --dry-run")

    @Argument(help: "The name of the profile.")
    var name: ProfileName

    @OptionGroup var options: DeletionOptions
    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func run() throws {
      let environment = ProcessEnvironment.current
      let context = try CommandContext(
        of: name, database, Configuration(environment: environment), environment)
      try Deletion(scope: .profile(context.profile), context: context, options: options).run()
    }
  }
}

extension CommandContext {
  /// The database with a profile that exists.
  fileprivate init(
    of profile: ProfileName, _ database: DatabaseOptions, _ configuration: Configuration,
    _ environment: ProcessEnvironment
  ) throws {
    let location = try database.location(configuration, environment, mustExist: true)
    self.init(
      location: location, profile: try ProfileCheck(location).require(profile.name, from: .argument))
  }
}

/// Profiles as a table and as JSON.
private struct ProfileReport: PrintedReport {
  let profiles: [ProfileContents]

  func text(width: Int?) -> String {
    guard !profiles.isEmpty else { return "There are no profiles yet. Create one with: stressmon measure\n" }
    var table = TextTable([
      ("profile", .left), ("sessions", .right), ("measurements", .right), ("journal", .right),
      ("last measured", .left), ("baseline", .left), ("strap", .left),
    ])
    for profile in profiles {
      table.append([
        profile.name.displayedProfileName, "\(profile.sessions)", "\(profile.measurements)",
        "\(profile.journalEntries)",
        profile.lastMeasured.map(LocalZone.text) ?? "-",
        (profile.baseline ?? .populationDefault).provenance(),
        profile.straps.first.map { $0.strap.name ?? $0.strap.address } ?? "-",
      ])
    }
    return table.lines(width: width, expendable: ["strap", "baseline", "journal", "sessions"]).map {
      $0 + "\n"
    }
    .joined()
  }

  var json: [UInt8] {
    var line = JSONLine()
    for profile in profiles {
      line.line { line in
        line.put("profile", profile.name)
        line.put("sessions", profile.sessions)
        line.put("measurements", profile.measurements)
        line.put("journal_entries", profile.journalEntries)
        line.put("last_measured", profile.lastMeasured?.rfc3339)
        line.put("origin", (profile.baseline ?? .populationDefault).origin.rawValue)
        line.put("straps", texts: profile.straps.map(\.strap.address))
      }
    }
    return line.bytes
  }
}
