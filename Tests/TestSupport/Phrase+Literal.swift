import Localization

/// In tests, a phrase can be a literal: only texts of the sources have to be in the catalogues.
extension Phrase: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(known: text) }
}
