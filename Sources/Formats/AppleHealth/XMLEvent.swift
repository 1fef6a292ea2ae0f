/// The start or end of an element in an XML document.
enum XMLEvent {
  case start(XMLElement)
  case end(String)
}

/// A start tag.
struct XMLElement {
  let name: String
  /// Values of the requested attributes.
  private let attributes: [String: String]
  /// Offset of the tag in the document, in bytes.
  private let offset: Int

  init(name: String, attributes: [String: String], offset: Int) {
    (self.name, self.attributes, self.offset) = (name, attributes, offset)
  }

  subscript(attribute: String) -> String? { attributes[attribute] }

  /// An error at this element.
  func error(_ why: String) -> XMLError { XMLError(offset: offset, reason: .content(why)) }
}

/// A document that is not well-formed or does not have the expected content.
struct XMLError: Error, CustomStringConvertible {
  enum Reason {
    case endOfDocument
    /// The message of the parser.
    case syntax(String)
    case content(String)
  }

  /// Offset in the document, in bytes.
  var offset: Int
  var reason: Reason

  var description: String {
    switch reason {
    case .endOfDocument: "the document ends before </HealthData>"
    case .syntax(let message): "the document is not well-formed XML: \(message)"
    case .content(let why): why
    }
  }
}
