import Breathing
import HRV
import HeartRate
import LiveSession
import Localization
import Stress

/// A guided exercise as sentences for a screen reader: each new instruction, with its duration if that changed, and heart
/// rate and HRV at the configured interval.
///
/// During paced breathing, everything except instructions waits for the next inhalation: no sentence may delay an instruction
/// within a breath.
package struct BreathingSpeech: Sendable {
  private let style: TerminalStyle
  private let period: Int64
  private var link: LiveSpeech
  private var cue: String?
  private var notice: String?
  private var dueAt: Int64

  /// - Parameter every: Interval of the sentences with heart rate and HRV, which precede an inhalation.
  package init(style: TerminalStyle, every: Duration) {
    self.style = style
    period = every.ticks
    dueAt = period
    link = LiveSpeech(style: style, every: every)
  }

  /// The keys as a sentence.
  package var keys: String { style.localized("Space pauses, q ends the exercise; its data are kept") + "." }

  /// The sentences for the new state; usually none.
  package mutating func sentences(_ view: BreathingView) -> [String] {
    let isNew = cue != view.cue
    cue = view.cue
    var said = isNew || !view.isLed ? news(view) : []
    if isNew { said += [heart(view), instruction(view)].compactMap { $0 } }
    return said
  }

  /// Changes of the strap since the last call; empty within a breath.
  private mutating func news(_ view: BreathingView) -> [String] {
    if case .breathing(let position) = view.stage, position.phase != .inhale { return [] }
    if view.stage == .over { return [] }
    var said = link.linkSentences(view.live, isBrief: view.isLed)
    if let new = view.notice, new != notice { said.append(new) }
    notice = view.notice
    return said
  }

  private func instruction(_ view: BreathingView) -> String? {
    let title = style.localized(view.title)
    switch view.stage {
    case .over: return style.localized("The exercise is over.")
    case .waiting: return style.localized(view.explanation)
    case .before(_, let whole), .after(_, let whole):
      return style.localized("\(title) for \(length(whole)). \(style.localized(view.explanation))")
    case .paused: return title + "."
    case .breathing(let position):
      let isLast = position.cycle + 1 == position.cycles && position.phase == .inhale
      let last = isLast && position.cycles > 1 ? style.localized("Last cycle.") + " " : ""
      guard position.cycle == 0 else { return "\(last)\(title)." }
      return last + style.localized("\(title) for \(length(position.pattern.seconds(of: position.phase)))")
        + "."
    }
  }

  /// Heart rate and HRV before an inhalation, when the interval has passed.
  private mutating func heart(_ view: BreathingView) -> String? {
    guard case .breathing(let position) = view.stage, position.phase == .inhale, view.time.ticks >= dueAt,
      !view.live.isStale, let measurement = view.live.measurement
    else { return nil }
    dueAt = view.time.ticks + period
    let words = SpokenWords(style: style)
    return [
      words.heartRate(latest: view.live.heartRate, windowMean: measurement.meanHeartRate),
      measurement.rmssd.map { words.hrv($0) },
      view.coherence.map { style.localized("Coherence \(($0 * 100).fixed(0)) percent.") },
    ].compactMap { $0 }.joined(separator: " ")
  }

  /// The duration of a phase, which can include half a second.
  private func length(_ seconds: Double) -> String {
    guard seconds != seconds.rounded() else { return SpokenWords(style: style).length(seconds: seconds) }
    return style.localized("\(seconds.fixed(1)) seconds")
  }
}
