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
