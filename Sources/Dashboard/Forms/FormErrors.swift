import Localization

/// The errors of a form by the name of the field.
struct FormErrors: Sendable, ExpressibleByDictionaryLiteral {
  private var messages: [(field: String, message: String)] = []

  init() {}

  init(dictionaryLiteral elements: (String, String)...) {
    for (field, message) in elements { add(message, for: field) }
  }

  var isEmpty: Bool { messages.isEmpty }

  mutating func add(_ message: String, for field: String) { messages.append((field, message)) }

  subscript(field: String) -> String? { messages.first { $0.field == field }?.message }

  /// The errors with links to their fields, above the form; nil without errors.
  func summary(_ context: PageContext) -> HTML? {
    guard !isEmpty else { return nil }
    let items = messages.map { "<li><a href=\"#\($0.field)\">\($0.message)</a></li>" as HTML }
    return """
      <div class="error" role="alert"><h2>\(context.localized("Please check your entries"))</h2><ul>\(items)</ul></div>
      """
  }
}
