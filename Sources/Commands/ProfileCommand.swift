import ArgumentParser
import HeartRate
import History
import Recording
import Stress
import Terminal

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "List, rename and delete the people whose hearts are measured here.",
    discussion: """
      Each has a baseline, straps, sessions and a journal of their own. A new one comes with --profile NAME.
      Example: stressmon profile list
      """,
    subcommands: [List.self, Rename.self, Remove.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Print all profiles, and how much is stored of each.",
      discussion: "Example: stressmon profile list --json")

    @Flag(name: .long, help: "One JSON object per profile.")
    var json = false

    @OptionGroup var database: DatabaseOptions

    func run() throws {
      let surroundings = Surroundings.current
      let configuration = try Configuration(surroundings: surroundings)
      let reader = try HistoryReader(database.location(configuration, surroundings))
      try StandardOutput().write(ProfileReport(profiles: reader?.profileContents() ?? []), asJSON: json)
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: "Give a profile another name; all that is theirs stays theirs.",
      discussion: "Example: stressmon profile rename me anna")

    @Argument(help: "Its name now.")
    var name: ProfileName

    @Argument(help: "Its new name.")
    var newName: ProfileName

    @OptionGroup var database: DatabaseOptions

    func run() throws {
      let surroundings = Surroundings.current
      let configuration = try Configuration(surroundings: surroundings)
      let place = try Place(of: name, database, configuration, surroundings)
      do {
        try HistoryWriter(place.location).renameProfile(
          name.name, to: newName.name, at: place.location, time: SystemClock.wall)
      } catch let conflict as LiveClaim.Conflict {
        throw CommandFailure(.failed, "\(conflict)")
      }
      say("stressmon: profile '\(name.name)' is '\(newName.name)' from now on")
      if (configuration[.profile] ?? "me") == name.name {
        say("stressmon: it is the usual one; keep it so with: stressmon config set profile '\(newName.name)'")
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a profile with all that is theirs, for good.",
      discussion: "Example: stressmon profile delete anna --dry-run")

    @Argument(help: "Its name.")
    var name: ProfileName

    @OptionGroup(title: "How") var options: DeletionOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
      let surroundings = Surroundings.current
      let place = try Place(of: name, database, Configuration(surroundings: surroundings), surroundings)
      try Deletion(scope: .profile(name.name), place: place, options: options).run()
    }
  }
}

extension Place {
  /// That of a profile which is there.
  fileprivate init(
    of profile: ProfileName, _ database: DatabaseOptions, _ configuration: Configuration,
    _ surroundings: Surroundings
  ) throws {
    self.init(location: try database.location(configuration, surroundings), profile: profile.name)
    try requireProfile(profile.name)
  }
}

/// Profiles as a table and as JSON.
private struct ProfileReport: PrintedReport {
  let profiles: [ProfileContents]

  func text(width: Int?) -> String {
    guard !profiles.isEmpty else { return "Nobody was measured yet. Begin with: stressmon measure\n" }
    var table = TextTable([
      ("profile", .left), ("sessions", .right), ("measurements", .right), ("journal", .right),
      ("last measured", .left), ("baseline", .left), ("strap", .left),
    ])
    for profile in profiles {
      table.append([
        profile.name, "\(profile.sessions)", "\(profile.measurements)", "\(profile.journalEntries)",
        profile.lastMeasured.map(LocalZone.text) ?? "-", (profile.baseline ?? .prior).provenance(),
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
        line.put("origin", (profile.baseline ?? .prior).origin.rawValue)
        line.put("straps", texts: profile.straps.map(\.strap.address))
      }
    }
    return line.bytes
  }
}
