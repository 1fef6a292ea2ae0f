import ArgumentParser
import HeartRate
import History
import JSONLines
import LiveSession
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", _superCommandName: Stressmon.name,
    abstract: localized("List, add, rename and delete profiles."),
    discussion: localized("A profile is one person, with a baseline, straps, sessions and a journal.") + "\n"
      + examples("stressmon profile add anna"),
    subcommands: [List.self, Add.self, Rename.self, Remove.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: localized("List all profiles and the amount of their data."),
      discussion: examples("stressmon profile list --json"))

    @Flag(name: .long, help: .localized("Print one JSON object per profile."))
    var json = false

    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func run() throws {
      let context = try CommandContext()
      let reader = try HistoryReader(database.location(context, mustExist: true))
      try StandardOutput().write(ProfileReport(profiles: reader?.profileContents() ?? []), asJSON: json)
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: localized("Create a profile."),
      discussion: examples("stressmon profile add anna"))

    @Argument(help: .localized("The name of the new profile, 1 to 64 characters."), completion: .list([]))
    var name: ProfileName

    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func validate() throws { try name.requireNew() }

    func run() throws {
      let location = try database.location(CommandContext())
      guard try HistoryWriter(location).addProfile(name.name) else {
        throw CommandFailure(
          .failed,
          Phrase(
            "the profile '\(name.name.printable)' exists already. List the profiles with: \("stressmon profile list")"
          ))
      }
      printDiagnostic(
        "stressmon: "
          + localized("created the profile '\(name.name.printable)'; measure with: \(name.measuring)"))
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: localized("Rename a profile; its data are kept."),
      discussion: examples("stressmon profile rename me anna"))

    @Argument(help: .localized("The current name."))
    var name: ProfileName

    @Argument(help: .localized("The new name."), completion: .list([]))
    var newName: ProfileName

    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func validate() throws { try newName.requireNew() }

    func run() throws {
      let context = try CommandContext()
      let stored = try ProfileHistory(of: name, database, context)
      try HistoryWriter(stored.location).renameProfile(
        stored.profile, to: newName.name, at: stored.location, time: SystemClock.wall)
      printDiagnostic(
        "stressmon: "
          + localized("renamed profile '\(name.name.printable)' to '\(newName.name.printable)'"))
      try renameDefault(context)
    }

    /// Keeps the profile the default one. With `--db`, the setting remains, because it applies to the usual database.
    private func renameDefault(_ context: CommandContext) throws {
      guard database.path == nil, (context[.profile] ?? ProfileCheck.usual) == name.name else { return }
      var context = context
      do {
        try context.configuration.set(.profile, to: newName.name)
      } catch {
        let command = "stressmon config set profile \(HistoryError.quoted(newName.name.printable))"
        throw CommandFailure(
          .failed,
          Phrase(
            "the profile is renamed, but the setting 'profile' is not: \(Phrase(of: error)). Change it with: \(command)"
          ))
      }
      printDiagnostic(
        "stressmon: "
          + localized(
            "it remains the default profile; the setting 'profile' is '\(newName.name.printable)' now"))
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: localized("Delete a profile and all its data permanently."),
      discussion: examples("stressmon profile delete anna --dry-run"))

    @Argument(help: .localized("The name of the profile."))
    var name: ProfileName

    @OptionGroup var options: DeletionOptions
    @OptionGroup(title: commonOptions) var database: DatabaseOptions

    func run() throws {
      let stored = try ProfileHistory(of: name, database, CommandContext())
      try Deletion(scope: .profile(stored.profile), stored: stored, options: options).run()
    }
  }
}

extension ProfileHistory {
  /// The database with a profile that exists.
  fileprivate init(
    of profile: ProfileName, _ database: DatabaseOptions, _ context: CommandContext
  ) throws {
    let location = try database.location(context, mustExist: true)
    self.init(
      location: location, profile: try ProfileCheck(location).require(profile.name, from: .argument))
  }
}

extension ProfileName {
  fileprivate var measuring: String { "stressmon measure --profile \(HistoryError.quoted(name.printable))" }
}

/// Profiles as a table and as JSON.
private struct ProfileReport: PrintedReport {
  let profiles: [ProfileContents]

  func text(width: Int?) -> String {
    guard !profiles.isEmpty else {
      return localized("There are no profiles yet. Create one with: \("stressmon measure")") + "\n"
    }
    var table = TextTable([
      (localized("profile"), .left), (localized("sessions"), .right), (localized("measurements"), .right),
      (localized("journal"), .right), (localized("last measured"), .left), (localized("baseline"), .left),
      (localized("strap"), .left),
    ])
    for profile in profiles {
      table.append([
        profile.name.displayedProfileName, "\(profile.sessions)", "\(profile.measurements)",
        "\(profile.journalEntries)",
        profile.lastMeasured.map(LocalZone.text) ?? "-",
        localized((profile.baseline ?? .populationDefault).provenance),
        profile.straps.first.map { $0.strap.name ?? $0.strap.address } ?? "-",
      ])
    }
    let expendable = [
      localized("strap"), localized("baseline"), localized("journal"), localized("sessions"),
    ]
    return table.lines(width: width, expendable: expendable).map { $0 + "\n" }.joined()
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
