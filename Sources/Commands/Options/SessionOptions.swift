import ArgumentParser
import Localization
import NetworkCommands
import Platform
import Session
import Stress

/// The options of every command that measures.
struct SessionOptions: ParsableArguments {
  @OptionGroup var source: SourceOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var view: ViewOptions
  @OptionGroup var store: StoreOptions

  @Flag(
    name: .long,
    help: .localized("Store nothing in the history. Its baseline and normal range are used nevertheless."))
  var noStore = false

  @OptionGroup var log: LogOptions

  func validate() throws { try source.straps.validate(profile: store.profile) }

  /// The first given option that has an effect on a measurement only.
  var measuringOption: String? {
    let options: [(name: String, isGiven: Bool)] = [
      ("--simulate", source.simulate), ("--strap", !source.straps.isEmpty), ("--source", source.lines != nil),
      ("--adapter", source.bluetooth.adapter != nil), ("--no-motion", source.noMotion),
      ("--window", engine.window != nil), ("--no-store", noStore), ("--verbose", log.verbose),
    ]
    return options.first(where: \.isGiven)?.name
  }

  /// The session that the options describe, with one strap.
  /// - Throws: ``ReportError`` for a profile that does not exist.
  func setup(_ context: CommandContext) throws -> SessionSetup {
    try builder(context).setup(try source.onlyStrap)
  }

  /// One session for each `--strap`; one session without.
  func setups(_ context: CommandContext) throws -> [SessionSetup] {
    guard source.straps.count > 1 else { return [try setup(context)] }
    let builder = try builder(context)
    return try source.straps.map { try builder.setup($0) }
  }

  /// The labels of several sessions; empty for one.
  func labels(_ context: CommandContext) -> [String] {
    source.straps.count > 1 ? source.straps.labels(profile: store.profileName(context)) : []
  }

  private func builder(
    _ context: CommandContext
  ) throws -> SessionSetupBuilder {
    SessionSetupBuilder(
      context: context, source: source, store: store,
      settings: engine.settings(context), isStored: !noStore, logger: log.logger(context.environment))
  }
}
