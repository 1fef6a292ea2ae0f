import Breathing
import Localization

/// A paced breathing exercise: a circle that grows and shrinks, the word of the phase, and the phases as a list, which is the
/// exercise where the script is not loaded.
struct BreathingGuide: Sendable {
  let pattern: BreathingPattern
  var cycles: Int
  /// Whether the script starts it when the page opens.
  var startsAtOnce = false
  /// Whether the script follows the stages of a running session: the circle is shown during the breathing only.
  var followsSession = false
  var hidesCircle = false

  func html(_ context: PageContext) -> HTML {
    let steps = pattern.parts.map { part -> HTML in
      "<li>\(Self.word(part.phase, context)): \(context.localized("\(Self.seconds(part.seconds)) s"))</li>"
    }
    let words = pattern.parts.map { Self.word($0.phase, context) }.joined(separator: "|")
    return """
      <section class="card guide" aria-labelledby="guide-title" data-pattern="\(pattern.description)"\
       data-words="\(words)" data-cycles="\(cycles)"\(attribute: "data-autostart", if: startsAtOnce)\
      \(attribute: "data-seconds", seconds)\(attribute: "data-phases", phases)\
      \(attribute: "data-measured", if: followsSession)\
       data-cycle-text="\(context.localized("Cycle \("{n}") of \("{all}")"))"\
       data-done="\(context.localized("The exercise has ended."))">
      <h2 id="guide-title">\(Self.name(pattern, context))</h2>
      <div class="breath" aria-hidden="true"\(attribute: "hidden", if: hidesCircle)><div class="breath-circle"></div><p class="breath-word">\
      \(Self.word(.inhale, context))</p></div>
      <ol class="phases">\(steps)</ol>
      <p class="quiet guide-cycle">\(context.localized("Repeat \(cycles) times, or as long as it is pleasant."))</p>
      <div class="row guide-controls" hidden>
      <button type="button" class="primary guide-toggle" data-start="\(context.localized("Start"))"\
       data-pause="\(context.localized("Pause"))" data-resume="\(context.localized("Resume"))">\
      \(context.localized("Start"))</button>
      <label><input type="checkbox" class="guide-sound">\(context.localized("Sound"))</label>
      </div>
      </section>
      """
  }

  private var seconds: String { pattern.parts.map { "\($0.seconds)" }.joined(separator: "-") }
  private var phases: String { pattern.parts.map(\.phase.rawValue).joined(separator: "-") }

  static func word(_ phase: BreathPhase, _ context: PageContext) -> String {
    switch phase {
    case .inhale: context.localized("Breathe in")
    case .hold: context.localized("Hold")
    case .exhale: context.localized("Breathe out")
    case .pause: context.localized("Rest")
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
