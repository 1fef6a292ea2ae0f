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

  static func groups(_ context: PageContext) throws -> [Group] {
    DesignMeasuring(context: context).groups + (try DesignRecords(context: context).groups)
      + DesignExercises(context: context).groups
      + DesignSettings(context: context).groups + DesignControls(context: context).groups
  }

  private static func content(_ context: PageContext) throws -> HTML {
    var used = Set<String>()
    let sections = try groups(context).map { group -> HTML in
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

extension HTML {
  /// The same with names that are not in `used`, to which they are added: a component that is shown several times on one page has the
  /// same identifiers and labels each time. References within the component follow.
  func named(apartFrom used: inout Set<String>) -> HTML {
    var text = text
    for name in Self.values(of: "id", in: text) {
      let new = Self.unused("#\(name)", in: &used).dropFirst()
      guard new != name else { continue }
      // A region with the same heading as another one would have the same name.
      text = text.replacing(" aria-labelledby=\"\(name)\"", with: " aria-label=\"\(new)\"")
      for (before, after) in Self.references {
        text = text.replacing("\(before)\(name)\(after)", with: "\(before)\(new)\(after)")
      }
    }
    for label in Set(Self.values(of: "aria-label", in: text)).sorted() {
      let new = Self.unused(label, in: &used)
      text = text.replacing(" aria-label=\"\(label)\"", with: " aria-label=\"\(new)\"")
    }
    return HTML(trusted: text)
  }

  /// What surrounds an identifier where it is defined or referred to.
  private static let references = [
    (" id=\"", "\""), (" for=\"", "\""), (" aria-describedby=\"", "\""),
    ("href=\"#", "\""), ("url(#", ")"),
  ]

  /// The values of an attribute in their order.
  private static func values(of attribute: String, in text: String) -> [String] {
    text.split(separator: " \(attribute)=\"", omittingEmptySubsequences: false).dropFirst()
      .map { String($0.prefix { $0 != "\"" }) }
  }

  private static func unused(_ name: String, in used: inout Set<String>) -> String {
    var (new, number) = (name, 1)
    while !used.insert(new).inserted {
      number += 1
      new = "\(name)-\(number)"
    }
    return new
  }
}
