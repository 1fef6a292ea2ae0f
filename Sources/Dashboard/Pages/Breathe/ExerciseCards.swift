import Breathing
import Localization

/// The favourites as circles, the exercises to choose from, and a form for an own pattern.
struct ExerciseCards: Sendable {
  let context: PageContext

  private var favourites: [Exercise] { context.preferences.favourites }
  private var isEditable: Bool { !context.isReadOnly && context.options.preferences != nil }

  var html: HTML {
    """
    \(circles)
    <section class="stack" aria-labelledby="exercises-title">
    <h2 id="exercises-title">\(context.localized("Exercises"))</h2>
    <ul class="cards wide">\(all.map(card))</ul>
    \(own)
    </section>
    """
  }

  /// The predefined exercises, then the own patterns among the favourites.
  private var all: [Exercise] {
    Exercise.predefined + favourites.filter { !Exercise.predefined.contains($0) }
  }

  private var circles: HTML? {
    guard !favourites.isEmpty else { return nil }
    let links = favourites.map { exercise -> HTML in
      """
      <li><a href="\(context.path(exercise.path))"><span class="circle">\(exercise.icon)</span><span>\(exercise.name(context))</span></a></li>
      """
    }
    return """
      <section class="stack" aria-labelledby="favourites"><h2 id="favourites">\(context.localized("Favourites"))</h2>
      <ul class="circles">\(links)</ul></section>
      """
  }

  /// The first favourites as buttons, or an exercise without holds: the offer of other pages.
  static func offer(_ context: PageContext) -> HTML {
    let favourites = context.preferences.favourites.prefix(3)
    let exercises = favourites.isEmpty ? [.pattern(.calming)] : Array(favourites)
    return "\(exercises.map { context.button($0.path, $0.name(context), "primary") })"
  }

  private func card(_ exercise: Exercise) -> HTML {
    let name = exercise.name(context)
    return """
      <li class="card stack">
      <div><h3>\(name)</h3>\(exercise.pattern.map(phases))\
      \(exercise.purpose(context).map { "<p>\($0)</p>" as HTML })</div>
      <div class="row between bottom"><a class="button" href="\(context.path(exercise.path))">\(exercise.icon) \
      \(context.localized("Follow"))<span class="visually-hidden"> \(name)</span></a>\(star(exercise, name))</div>
      </li>
      """
  }

  /// Adds the exercise to the favourites, or removes it.
  private func star(_ exercise: Exercise, _ name: String) -> HTML? {
    guard isEditable else { return nil }
    let isFavourite = favourites.contains(exercise)
    guard isFavourite || favourites.count < PagePreferences.mostFavourites else { return nil }
    let label =
      isFavourite
      ? context.localized("Remove from favourites: \(name)") : context.localized("Add to favourites: \(name)")
    return """
      <form method="post" action="\(context.path("/breathe/favourites"))"><input type="hidden"\
       name="\(isFavourite ? "remove" : "add")" value="\(exercise.text)">\
      <button class="plain" aria-label="\(label)" title="\(label)">\(isFavourite ? Icon.starred : Icon.star)</button></form>
      """
  }

  /// `Breathe in 4 s, hold 7 s, breathe out 8 s`
  private func phases(_ pattern: BreathingPattern) -> HTML {
    let parts = pattern.parts.map {
      "\(BreathingGuide.word($0.phase, context).lowercased()) \(context.language.number(BreathingGuide.seconds($0.seconds))) s"
    }
    return "<p class=\"quiet\">\(context.capitalized(parts.joined(separator: ", ")))</p>"
  }

  /// The seconds of the four phases.
  private var own: HTML? {
    guard !context.isReadOnly else { return nil }
    let fields = OwnPattern.phases.map { phase, value, range -> HTML in
      let id = "own-\(phase.rawValue)"
      return """
        <div class="field"><label for="\(id)">\(OwnPattern.label(phase, context))</label><input id="\(id)" name="\(phase.rawValue)"\
         type="number" min="\(range.lowerBound.fixed(0))" max="\(range.upperBound.fixed(0))" step="0.5" value="\(value)" required></div>
        """
    }
    let add: HTML =
      "<button name=\"do\" value=\"add\">\(Icon.star) \(context.localized("Add to favourites"))</button>"
    return """
      <details class="card"><summary>\(context.localized("Own pattern"))</summary>
      <form method="post" action="\(context.path("/breathe/own"))" class="stack">
      <p class="quiet">\(context.localized("Seconds of each phase; 0 leaves out a hold."))</p>
      <div class="fields narrow">\(fields)</div>
      <div class="row"><button name="do" value="follow">\(Icon.wind) \(context.localized("Follow"))</button>\
      \(isEditable && favourites.count < PagePreferences.mostFavourites ? add : nil)</div>
      </form></details>
      """
  }
}

/// The form of an own pattern.
enum OwnPattern {
  /// The phases with their first value and their limits in seconds.
  static let phases: [(BreathPhase, Int, ClosedRange<Double>)] = [
    (.inhale, 4, BreathingPattern.breaths), (.hold, 0, BreathingPattern.holds),
    (.exhale, 6, BreathingPattern.breaths), (.pause, 0, BreathingPattern.holds),
  ]

  static func label(_ phase: BreathPhase, _ context: PageContext) -> String {
    switch phase {
    case .hold: context.localized("Hold after breathing in")
    case .pause: context.localized("Hold after breathing out")
    default: BreathingGuide.word(phase, context)
    }
  }

  static func pattern(_ form: FormBody) throws -> BreathingPattern {
    let seconds = try phases.map { phase, _, range in
      guard let value = form.value(phase.rawValue).flatMap(Double.init), range.contains(value) else {
        throw Problem.badParameter(
          phase.rawValue, expected: "\(range.lowerBound.fixed(0)) to \(range.upperBound.fixed(0)) seconds")
      }
      return value
    }
    return try BreathingPattern(inhale: seconds[0], hold: seconds[1], exhale: seconds[2], pause: seconds[3])
  }
}

extension Exercise {
  var icon: HTML {
    switch self {
    case .pattern: Icon.wind
    case .calm: Icon.help
    case .grounding: Icon.ground
    }
  }

  func name(_ context: PageContext) -> String {
    switch self {
    case .pattern(let pattern): BreathingGuide.name(pattern, context)
    case .calm: context.localized("I need help now")
    case .grounding: context.localized("Grounding: 5-4-3-2-1")
    }
  }

  fileprivate func purpose(_ context: PageContext) -> String? {
    switch self {
    case .pattern(.relaxing): context.localized("Long exhales, often used before sleep.")
    case .pattern(.box): context.localized("Four equal phases, for focus.")
    case .pattern(.coherent): context.localized("Slow and even, close to the rate with the largest HRV.")
    case .pattern(.calming): context.localized("Without holds, easy when you are upset.")
    case .pattern: nil
    case .calm: context.localized("Starts at once. Nothing is recorded.")
    case .grounding: context.localized("Brings your attention to what you see, feel and hear.")
    }
  }
}
