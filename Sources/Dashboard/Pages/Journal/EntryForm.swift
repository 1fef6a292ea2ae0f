import History
import Localization
import Reports

/// The form of a journal entry: mood, triggers and note.
struct EntryForm: Sendable {
  let context: PageContext
  let draft: EntryDraft
  /// Triggers that are offered as check boxes.
  let known: [String]

  func html(action: String, button: String) -> HTML {
    """
    <form method="post" action="\(context.path(action))" class="card stack">
    \(mood)
    \(suggestions)\(triggers)
    \(FormField("time", context.localized("Time"), hint: draft.time == nil ? context.localized("Empty means now.") : nil, error: draft.errors["time"]).text(draft.time, type: "datetime-local"))
    \(FormField("note", context.localized("Note"), error: draft.errors["note"]).area(draft.note))
    <div class="row"><button class="primary">\(button)</button></div></form>
    """
  }

  private var mood: HTML {
    let options = (1...10).compactMap(Mood.init).map { mood in
      (
        "\(mood.rating)",
        """
        \(MoodFace(mood).html)<span><strong>\(mood.rating)</strong> <span class="small">\(context.localized(mood.name))</span></span>
        """ as HTML
      )
    }
    let selected = Set([draft.mood].compactMap(\.self))
    return
      "<div class=\"moods\">\(FormChoices("mood", context.localized("How do you feel?"), error: draft.errors["mood"]).html(options, selected))</div>"
  }

  private var suggestions: HTML? {
    guard !known.isEmpty else { return nil }
    return FormChoices("trigger", context.localized("Triggers"), isMultiple: true).html(
      known.map { ($0, "\($0)" as HTML) }, Set(draft.triggers))
  }

  private var triggers: HTML {
    let others = draft.triggers.filter { !known.contains($0) }.joined(separator: ", ")
    let label = known.isEmpty ? context.localized("Triggers") : context.localized("Other triggers")
    return FormField(
      "triggers", label, hint: context.localized("What affects you, separated by commas: coffee, work"),
      error: draft.errors["triggers"]
    ).text(others.isEmpty ? nil : others)
  }
}

/// A face for a mood. The word beside it has the same meaning.
struct MoodFace: Sendable {
  private let mood: Mood

  init(_ mood: Mood) { self.mood = mood }

  var html: HTML {
    HTML(
      trusted: """
        <svg class="mood-face" viewBox="0 0 40 40" aria-hidden="true" focusable="false"><circle cx="20" cy="20" r="18"/>\
        \(eyes)<path d="\(mouth)"/></svg>
        """)
  }

  /// Five faces: two ratings share one, as they share a word.
  private var face: Int { (mood.rating - 1) / 2 }

  private var eyes: String {
    face == 4
      ? "<path d=\"M11 17q2.500-3 5 0M24 17q2.500-3 5 0\"/>"
      : "<circle class=\"eye\" cx=\"14\" cy=\"16\" r=\"2\"/><circle class=\"eye\" cx=\"26\" cy=\"16\" r=\"2\"/>"
  }

  private var mouth: String {
    switch face {
    case 0: "M12 29q8-8 16 0"
    case 1: "M13 28q7-4 14 0"
    case 2: "M13 27h14"
    case 3: "M13 25q7 5 14 0"
    default: "M12 24q8 9 16 0"
    }
  }
}
