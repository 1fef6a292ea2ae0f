import Breathing
import LiveFeed
import LiveSession
import Localization

/// A paced breathing exercise: a circle that grows and shrinks, the phase with its remaining seconds, and a ring that shows the
/// progress. The phases are also a list, which is the exercise where the script is not loaded.
struct BreathingGuide: Sendable {
  let pattern: BreathingPattern
  var cycles: Int
  /// Whether the script starts it when the page opens.
  var startsAtOnce = false
  /// The stage of a measured exercise. The session then starts and ends the breathing.
  var stage: MeasuredStage?
  /// The heart rate of the running session, drawn over the breath.
  var pulse: BreathingPulse?

  /// - Parameter minutes: the length; by default four cycles of 4-7-8, and five minutes of other patterns.
  init(_ pattern: BreathingPattern, minutes: Int? = nil) {
    self.pattern = pattern
    cycles =
      minutes == nil && pattern == .relaxing ? 4 : pattern.cycles(nearest: .seconds(60 * (minutes ?? 5)))
  }

  func html(_ context: PageContext) -> HTML {
    let words = pattern.parts.map { Self.word($0.phase, context) }.joined(separator: "|")
    return """
      <section class="guide" aria-label="\(Self.name(pattern, context))"\
       data-words="\(words)" data-cycles="\(cycles)"\(attribute: "data-autostart", if: startsAtOnce)\
      \(attribute: "data-seconds", seconds)\(attribute: "data-phases", phases)\
      \(stage?.attributes(context))\
       data-left="\(context.localized("\("{time}") left"))"\
       data-cycle-text="\(context.localized("Cycle \("{n}") of \("{all}")"))"\
       data-done="\(context.localized("Done"))" data-end="\(context.localized("Well done. Stay a moment before you get up."))">
      \(stage?.steps(context))\(stage?.instruction(context))
      \(circle(context))
      \(pulse?.html(context))
      <ol class="phases">\(steps(context))</ol>
      \(stage == nil ? progress(context) : nil)
      <div class="row guide-controls" hidden>
      \(stage == nil ? toggle(context) : nil)
      <label><input type="checkbox" class="guide-sound">\(context.localized("Sound"))</label>
      </div>
      </section>
      """
  }

  /// The circle with the phase, and the bar that shows the phase while motion is reduced.
  private func circle(_ context: PageContext) -> HTML {
    let word = stage.map { MeasuredStage.word($0.kind, context) } ?? Self.word(.inhale, context)
    return """
      <div class="breath" aria-hidden="true"><svg viewBox="0 0 200 200" focusable="false"><circle class="ring-track" cx="100"\
       cy="100" r="96"/><circle class="breath-progress" cx="100" cy="100" r="96" pathLength="100" transform="rotate(-90 100 100)"\
       stroke-dasharray="\((100 * (stage?.progress ?? 0)).fixed(1)) 100"/></svg>
      <div class="breath-circle"></div>
      <p class="breath-word"><span class="breath-phase">\(word)</span>\
      <span class="breath-seconds number">\(stage?.left.map(MeasuredStage.clock) ?? "")</span></p></div>
      <progress class="breath-bar" max="100" value="0" aria-hidden="true" hidden></progress>
      """
  }

  private func steps(_ context: PageContext) -> [HTML] {
    pattern.parts.map { part in
      "<li>\(Self.word(part.phase, context)): \(context.localized("\(Self.seconds(part.seconds)) s"))</li>"
    }
  }

  private func progress(_ context: PageContext) -> HTML {
    """
    <p class="quiet guide-cycle">\(context.localized("Repeat \(cycles) times, or as long as it is pleasant."))</p>
    """
  }

  private func toggle(_ context: PageContext) -> HTML {
    """
    <button type="button" class="primary guide-toggle" data-start="\(context.localized("Start"))"\
     data-pause="\(context.localized("Pause"))" data-resume="\(context.localized("Resume"))">\
    \(context.localized("Start"))</button>
    """
  }

  private var seconds: String { pattern.parts.map { "\($0.seconds)" }.joined(separator: "-") }
  private var phases: String { pattern.parts.map(\.phase.rawValue).joined(separator: "-") }

  static func word(_ phase: BreathPhase, _ context: PageContext) -> String {
    switch phase {
    case .inhale: context.localized("Breathe in")
    case .hold, .pause: context.localized("Hold")
    case .exhale: context.localized("Breathe out")
    }
  }

  static func name(_ pattern: BreathingPattern, _ context: PageContext) -> String {
    switch pattern {
    case .relaxing: context.localized("4-7-8 breathing")
    case .box: context.localized("Box breathing")
    case .coherent: context.localized("Coherent breathing")
    case .calming: context.localized("Calming breathing")
    default: context.localized("Breathing \(pattern.description)")
    }
  }

  /// Seconds without decimals if they are an integer.
  static func seconds(_ value: Double) -> String { value.fixed(value == value.rounded() ? 0 : 1) }
}

/// The heart rate of the running session over the depth of the breath, which the script draws.
struct BreathingPulse: Sendable {
  /// The session of the profile. Absent until a measured exercise has begun.
  let snapshot: FeedHub.Snapshot?
  /// In ns of the boot clock.
  let now: Int64

  /// The attributes with which the script follows the session.
  func attributes(_ context: PageContext) -> HTML {
    """
     id="live" data-profile="\(context.profile)" data-cursor="\(snapshot?.position.text ?? "")"
    """
  }

  /// A heart rate older than 6 s is not shown.
  private var value: String {
    guard let state = snapshot?.state, let rate = state.heartRate?.value,
      let age = state.heartRateAge(at: now), age < 6
    else { return "-" }
    return rate.fixed(0)
  }

  func html(_ context: PageContext) -> HTML {
    """
    <div class="pulse"><p>\(Icon.heart) \(context.localized("Heart rate")) <strong class="number pulse-value">\(value)</strong> \(context.localized("bpm"))</p>
    <svg viewBox="0 0 600 100" preserveAspectRatio="none" aria-hidden="true" focusable="false" hidden><path class="pulse-breath"/>\
    <path class="pulse-line"/></svg></div>
    """
  }
}
