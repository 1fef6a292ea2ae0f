import Localization

/// Buttons, forms, notices, and pages without data.
struct DesignControls: Sendable {
  typealias Group = DesignPage.Group
  typealias Specimen = DesignPage.Specimen

  let context: PageContext

  var groups: [Group] {
    [
      Group("Buttons", buttons),
      Group("Form of an entry", isWide: true, [Specimen("empty", entry(EntryDraft()))]),
      Group("Fields", fields),
      Group("Notices", PageNotice.allCases.map { Specimen($0.rawValue, $0.html(context)) } + [errors]),
      Group("Pages without data and errors", states),
    ]
  }

  private var buttons: [Specimen] {
    ["", "primary", "plain", "danger", "help"].map { style in
      let name = style.isEmpty ? "usual" : style
      return Specimen(
        name,
        """
        <div class="row">\(context.button("/design", name, style))\
        <button type="button"\(attribute: "class", style.isEmpty ? nil : style) disabled>\(name), disabled</button></div>
        """)
    }
  }

  private func entry(_ draft: EntryDraft) -> HTML {
    EntryForm(context: context, draft: draft, known: ["coffee", "work"])
      .html(action: "/journal", button: context.localized("Save"))
  }

  private var fields: [Specimen] {
    let (label, hint) = (
      context.localized("Note"), context.localized("Optional. It is added to the journal.")
    )
    let lengths = (1...3).map { ("\($0)", context.localized("\($0) min")) }
    let choices = lengths.map { ($0.0, "\($0.1)" as HTML) }
    return [
      Specimen("text", FormField("sample-text", label).text("Meeting")),
      Specimen("text with a hint", FormField("sample-hint", label, hint: hint).text(nil)),
      Specimen(
        "text with an error",
        FormField("sample-error", label, error: context.localized("Choose a mood from 1 to 10.")).text("11")),
      Specimen("lines of text", FormField("sample-lines", label).area("Long meeting,\nno break.")),
      Specimen("selection", FormField("sample-select", context.localized("Minutes")).select(lengths, "2")),
      Specimen(
        "one of several",
        "<form>\(FormChoices("sample-one", context.localized("Minutes")).html(choices, ["1"]))</form>"),
      Specimen(
        "some of several",
        FormChoices("sample-some", context.localized("Minutes"), isMultiple: true).html(choices, ["1", "3"])),
    ]
  }

  private var errors: Specimen {
    let errors: FormErrors = ["sample-error": context.localized("Choose a mood from 1 to 10.")]
    return Specimen("errors of a form", "\(errors.summary(context))")
  }

  private var states: [Specimen] {
    let empty = EmptyState(
      context.localized("No stress values in this period"),
      advice: context.localized("Take a reading, or choose a longer period."),
      action: context.button("/", context.localized("Take a reading"), "primary"))
    return [
      Specimen("no data", empty.html),
      Specimen("read-only", ReadOnlyNotice(context).html),
      Specimen("not found", ErrorPages.content(.notFound("There is nothing at this path."), context, true)),
      Specimen(
        "not logged in", ErrorPages.content(Problem(401, "", "This page needs a login."), context, false)),
    ]
  }
}
