import ArgumentParser
import HeartRate
import History
import Localization
import Reports
import Stress
import Terminal

extension JournalCommand {
  struct Insights: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "insights",
      abstract: "Show which triggers are associated with more or less stress.",
      discussion: """
        Compares the stress at entries with a trigger with that at all other entries, and tests whether the difference
        exceeds chance (docs/guide/journal.md).
        Example: stressmon journal insights --from 2026-10
        """)

    @Flag(name: .long, help: "Print one JSON object per trigger.")
    var json = false

    @OptionGroup(title: "Filter options") var times: TimeOptions
    @OptionGroup(title: commonOptions) var store: StoreOptions

    func run() throws {
      let context = try CommandContext(store)
      let occasions = try context.reader()?.stressEpisodes(of: context.profile, in: times.range()) ?? []
      let report = TriggerReport(effects: TriggerEffects(journal: occasions), profile: context.profile)
      try StandardOutput().write(report, asJSON: json)
    }
  }
}

extension TriggerReport: PrintedReport {
  func text(width: Int?) -> String {
    let needed = TriggerEffects.fewestOccasions
    let count = counted(effects.occasions, "measured occasion")
    var lines = ["The journal of '\(profile.printable)' covers \(count)."]
    if effects.effects.isEmpty {
      lines.append(
        "Too few to associate triggers with stress: \(needed) measured occasions are required with a trigger, "
          + "and \(needed) without it.")
    } else {
      lines += effects.effects.filter(\.isBeyondChance).map { Self.sentence($0) }
      if !effects.effects.contains(where: \.isBeyondChance) {
        lines.append("No trigger goes with more or less stress than chance alone explains.")
      }
      lines += [""] + table(width)
    }
    if !effects.tooFew.isEmpty {
      let names = effects.tooFew.map { "\($0.trigger.printable) \($0.occasions)" }
      lines += ["", "Too few occasions with or without: \(names.joined(separator: ", "))"]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  static func sentence(_ effect: TriggerEffect, _ style: TerminalStyle = .plain) -> String {
    let (trigger, points) = (effect.trigger.printable, abs(effect.difference).fixed(0))
    let (low, high) = (effect.low.fixed(1), effect.high.fixed(1))
    let phrase =
      effect.difference > 0
      ? Phrase("\(trigger) goes with \(points) points more stress (95 % interval \(low) to \(high)).")
      : Phrase("\(trigger) goes with \(points) points less stress (95 % interval \(low) to \(high)).")
    return style.localized(phrase)
  }

  private func table(_ width: Int?) -> [String] {
    var table = TextTable([
      ("trigger", .left), ("with", .right), ("without", .right), ("difference", .right),
      ("95 % interval", .left), ("chance", .right),
    ])
    for effect in effects.effects {
      table.append([
        effect.trigger, "\(effect.with)", "\(effect.without)", effect.difference.signed(1),
        Self.range(effect),
        effect.chance < 0.001 ? "<0.001" : effect.chance.fixed(3),
      ])
    }
    return table.lines(width: width, expendable: ["without", "with"]) + [
      "", "Chance: the probability of such a difference without any association. Sentences: at most 0.05.",
      "An association need not be a cause.",
    ]
  }

  private static func range(_ effect: TriggerEffect) -> String {
    "\(effect.low.fixed(1)) to \(effect.high.fixed(1))"
  }
}
