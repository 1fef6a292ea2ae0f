import History
import Localization
import Session
import Stress
import Terminal

extension SessionView {
  /// Prints the summary of each session: to stdout, or to stderr with `--json`.
  /// - Parameter onlyWithBeats: omits sessions without a beat, for which the error is sufficient.
  func printSummaries(
    _ group: SessionGroup, to output: NonblockingOutput, onlyWithBeats: Bool = false
  ) throws {
    for (index, member) in group.members.enumerated() {
      let summary = member.summary.value
      if onlyWithBeats, summary.beats == 0 { continue }
      let heading = labels.isEmpty ? [] : ["\(labels[index].printable):"]
      try print(heading + lines(summary, member), to: output)
    }
  }

  private func lines(_ summary: SessionSummary, _ member: SessionMember) -> [String] {
    let card = SummaryCard(style: style, isSimulated: member.plan.source == .simulated)
    let next = nextCommand(summary, member)
    let width = options.json ? nil : StandardOutput().width
    return options.speech.speak
      ? card.spoken(summary, next: next) : card.lines(summary, next: next, width: width)
  }

  private func print(_ lines: [String], to output: NonblockingOutput) throws {
    guard !options.json else { return lines.forEach(printDiagnostic) }
    try output.write(lines.map { $0 + "\n" }.joined())
    try output.finish()
  }

  private func nextCommand(_ summary: SessionSummary, _ member: SessionMember) -> String {
    if summary.beats == 0, summary.heartRate == nil { return "stressmon doctor" }
    if member.storage.hasSession { return "stressmon show \(member.plan.id.text)\(profileOption(member))" }
    return member.setup.recording.map { "stressmon analyze \($0.path)" } ?? "stressmon measure"
  }

  /// Prints where each session is stored or recorded, with the command that shows it.
  func printStorage(of group: SessionGroup, exercises: Int) {
    for (index, member) in group.members.enumerated() {
      let prefix = labels.isEmpty ? "" : "\(labels[index].printable): "
      for line in storage(of: member, exercises: exercises) { printDiagnostic(prefix + line) }
    }
  }

  private func storage(of member: SessionMember, exercises: Int) -> [String] {
    var lines: [String] = []
    let command = "stressmon history\(profileOption(member))"
    if let sentence = member.storage.sentence(session: member.plan.id.text, listing: command) {
      lines.append(style.localized(sentence))
    }
    if exercises > 0 {
      lines.append(
        style.localized(
          "Breathing exercises stored: \(exercises). List them with: \("stressmon breathe --list")"))
    }
    if let path = member.setup.recording?.path {
      lines.append(
        style.localized("Recorded to \(path). Analyze the file with: \("stressmon analyze \(path)")"))
    }
    return lines
  }

  /// The option that selects the profile, unless it is the default.
  private func profileOption(_ member: SessionMember) -> String {
    member.plan.profile == (configuration[.profile] ?? "me") ? "" : " --profile \(member.plan.profile)"
  }
}
