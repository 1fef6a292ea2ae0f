import HeartRate
import History
import Localization
import Reports
import Stress

/// The filters of measurements as a form that is sent with GET, which allows a selection to be bookmarked.
struct HistoryFilterForm: Sendable {
  let context: PageContext
  let query: HistoryQuery

  var html: HTML {
    """
    <details class="card filters"\(attribute: "open", if: query.isFiltered)>
    <summary>\(context.localized("Filter"))\(query.isFiltered ? active : nil)</summary>
    <form method="get" action="\(HistoryQuery.path)" class="stack">\(profile)
    <div class="fields">\(field("from", context.localized("First day")).text(query["from"], type: "date"))
    \(field("to", context.localized("Last day")).text(query["to"], type: "date"))
    \(field("strap", context.localized("Strap"), hint: context.localized("Name or address"))
      .text(query["strap"], list: "straps"))
    \(field("confidence", context.localized("Least confidence in %")).text(query["confidence"], inputMode: "numeric"))
    \(field("session", context.localized("Session"), hint: context.localized("The beginning of its ID"))
      .text(query["session"]))</div>
    \(straps)\(categories)
    <div class="row"><button class="primary">\(context.localized("Show"))</button>\
    \(query.isFiltered ? context.button(HistoryQuery.path, context.localized("Show everything")) : nil)</div>
    </form></details>
    """
  }

  private var active: HTML { "<span class=\"tag\">\(context.localized("active"))</span>" }

  private var profile: HTML? {
    context.query.text("profile").map { "<input type=\"hidden\" name=\"profile\" value=\"\($0)\">" }
  }

  private func field(_ name: String, _ label: String, hint: String? = nil) -> FormField {
    FormField(name, label, hint: hint, error: query.errors[name])
  }

  /// The straps of the profile as suggestions.
  private var straps: HTML {
    let known = (try? context.reader?.rememberedStraps(of: context.profile)) ?? []
    let options = known.map { "<option value=\"\($0.strap.name ?? $0.strap.address)\">" as HTML }
    return "<datalist id=\"straps\">\(options)</datalist>"
  }

  private var categories: HTML {
    let options = StressCategory.allCases.map { category in
      (
        category.rawValue,
        "<span class=\"category \(category.rawValue)\">\(Icon.category(category)) \(context.language.word(category))</span>"
          as HTML
      )
    }
    return FormChoices(
      "category", context.localized("Category"), isMultiple: true, error: query.errors["category"]
    ).html(options, Set(query.categories.map(\.rawValue)))
  }
}
