import ArgumentParser
import HeartRate
import History
import Stress

struct Delete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete what was measured and written, for good.",
    discussion: """
      Says what goes and asks first. Nothing of it is left in the files of the history.
      Example: stressmon delete --session 01K --dry-run
      Example: stressmon delete --from 2026-11-20T09:00 --to 2026-11-20T10:00
      Example: stressmon delete --profile anna --yes
      Example: stressmon delete --all
      """)

  @OptionGroup(title: "What") var times: TimeOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The stored measurements of this category; may be repeated.", valueName: "category"))
  var category: [StressCategory] = []

  @Option(name: .long, help: ArgumentHelp("A session, by the beginning of its name.", valueName: "id"))
  var session: String?

  @Flag(name: .long, help: "Everything of everyone; with --profile, everything of that person.")
  var all = false

  @OptionGroup(title: "How") var options: DeletionOptions
  @OptionGroup(title: "Person and store") var store: StoreOptions

  func validate() throws {
    let isRange = times.isGiven || !category.isEmpty
    guard [isRange, session != nil, all].count(where: { $0 }) <= 1 else {
      throw ValidationError("Choose one of --session, --all, and times with or without --category.")
    }
    guard isRange || session != nil || all || store.profile != nil else {
      throw ValidationError("Say what: --session, --from and --to, --category, --profile or --all.")
    }
  }

  func run() throws {
    let place = try Place(store)
    var deletion = Deletion(scope: try scope(place), place: place, options: options)
    if !category.isEmpty {
      deletion.remark =
        "  The beats that they were computed from stay; those go with --session, or --from and --to."
    }
    try deletion.run()
  }

  private func scope(_ place: Place) throws -> DeletionScope {
    if let session { return .session(try place.session(session).info.id) }
    if !category.isEmpty { return .measurements(Set(category), times.range(), of: place.profile) }
    if times.isGiven { return .times(times.range(), of: place.profile) }
    guard let name = store.profile?.name else { return .everything }
    try place.requireProfile(name)
    return .profile(name)
  }
}

extension Place {
  /// - Throws: ``CommandFailure`` when nobody of that name is known.
  func requireProfile(_ name: String) throws {
    guard try reader()?.profiles().contains(name) == true else {
      throw CommandFailure(.failed, "there is no profile '\(name)'. See them with: stressmon profile list")
    }
  }
}
