import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Reports
import Stress

struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", _superCommandName: Stressmon.name,
    abstract: localized("Delete stored data permanently."),
    discussion: localized(
      """
      Lists the data and requests confirmation before deleting them. The data are erased from the database file.
      """) + "\n"
      + examples(
        "stressmon delete --session 01K --dry-run",
        "stressmon delete --from 2026-11-20T09:00 --to 2026-11-20T10:00",
        "stressmon delete --profile anna --yes",
        "stressmon delete --all"))

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Delete the stored measurements of this category; may be repeated."), valueName: "category"))
  var category: [StressCategory] = []

  @Option(
    name: .long,
    help: ArgumentHelp(localized("Delete this session, by the beginning of its ID."), valueName: "id"),
    completion: Completions.sessions)
  var session: String?

  @Flag(
    name: .long,
    help: .localized("Delete all data of all profiles; with --profile, all data of that profile."))
  var all = false

  @OptionGroup var options: DeletionOptions
  @OptionGroup(title: localized("Filter options")) var times: TimeOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    let isRange = times.isGiven || !category.isEmpty
    guard [isRange, session != nil, all].count(where: { $0 }) <= 1 else {
      throw ValidationError(
        Phrase(
          "--session, --all and a filter (--from, --to, --category, ...) exclude each other: leave out all but one."
        )
      )
    }
    guard isRange || session != nil || all || store.profile != nil else {
      throw ValidationError(
        Phrase(
          """
          delete requires --session, --from and --to, --category, --profile or --all. List the data first with: \
          stressmon delete --all --dry-run
          """))
    }
  }

  func run() throws {
    let stored = try ProfileHistory(store)
    var deletion = Deletion(scope: try scope(stored), stored: stored, options: options)
    if !category.isEmpty {
      let kept = localized(
        "The beats that they were computed from stay; those go with --session, or --from and --to.")
      deletion.remark = "  " + kept
    }
    try deletion.run()
  }

  private func scope(_ stored: ProfileHistory) throws -> DeletionScope {
    if let session { return .session(try stored.session(session).info.id) }
    if !category.isEmpty { return .measurements(Set(category), times.range(), of: stored.profile) }
    if times.isGiven { return .times(times.range(), of: stored.profile) }
    guard let name = store.profile?.name else { return .everything }
    return .profile(try ProfileCheck(stored.location).require(name, from: .argument))
  }
}
