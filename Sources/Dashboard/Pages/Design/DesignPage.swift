import HummingbirdCore
import Localization

/// The page of all components in all states, for those who change them and for tests. It is served with `--developer` only.
///
/// The components are rendered by the functions of the pages, with the values of ``DesignSamples``. The names of the page itself are
/// not translated.
struct DesignPage: Sendable {
  let renderer: PageRenderer

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/design") { request in
        try await renderer.page(request) { context in
          Page(nil, title: "Components", content: try Self.content(context))
        }
      }
    ]
  }

  /// A component in one state, with the name of the state.
  struct Specimen: Sendable {
    let name: String
    let html: HTML

    init(_ name: String, _ html: HTML) { (self.name, self.html) = (name, html) }
  }

  /// The states of one component.
  struct Group: Sendable {
    let name: String
    /// Whether each state fills the width of the page.
    let isWide: Bool
    let specimens: [Specimen]

    init(_ name: String, isWide: Bool = false, _ specimens: [Specimen]) {
      (self.name, self.isWide, self.specimens) = (name, isWide, specimens)
    }
  }

  private static func content(_ context: PageContext) throws -> HTML {
    let groups =
      DesignMeasuring(context: context).groups + (try DesignRecords(context: context).groups)
      + DesignExercises(context: context).groups + DesignControls(context: context).groups
    var used = Set<String>()
    let sections = groups.map { group -> HTML in
      let specimens = group.specimens.map { specimen -> HTML in
        """
        <div class="specimen"><p class="small">\(specimen.name)</p>\(specimen.html.named(apartFrom: &used))</div>
        """
      }
      return """
        <h2>\(group.name)</h2>
        <div class="specimens\(group.isWide ? " wide" : "")">\(specimens)</div>
        """
    }
    return "\(sections)"
  }
}
