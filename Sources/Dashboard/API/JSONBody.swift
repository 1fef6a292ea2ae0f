import JSONLines
import Platform

/// The body of a request: one JSON object.
struct JSONBody {
  private let object: JSONObject

  /// - Throws: ``Problem`` for another media type, a body above `limit` bytes, one that does not arrive in time, and invalid
  ///   JSON.
  init(_ request: PermittedRequest, limit: Int) async throws {
    let bytes = try await request.body(ofType: "application/json", limit: limit)
    do throws(JSONSyntaxError) {
      object = try JSONObject(bytes)
    } catch {
      throw Problem(400, "Invalid JSON", "Expected \(error.expected) at byte \(error.offset).")
    }
  }

  private func failure(_ name: String, _ expected: String) -> Problem {
    .badParameter("\(name)", expected: expected)
  }

  /// A whole number; nil without the member.
  func integer(_ name: String) throws -> Int? {
    guard let value = object[name] else { return nil }
    guard let number = object.double(value).flatMap({ Int(exactly: $0) }) else {
      throw failure(name, "a whole number")
    }
    return number
  }

  /// `true` or `false`; nil without the member.
  func boolean(_ name: String) throws -> Bool? {
    guard let value = object[name] else { return nil }
    guard let boolean = object.boolean(value) else { throw failure(name, "true or false") }
    return boolean
  }

  /// A text; nil without the member, and if it is empty.
  func text(_ name: String) throws -> String? {
    guard let value = object[name] else { return nil }
    guard let text = object.string(value) else { throw failure(name, "text") }
    return text.isEmpty ? nil : text
  }

  /// Words; empty without the member.
  func texts(_ name: String, most: Int, longest: Int) throws -> [String] {
    guard let value = object[name] else { return [] }
    let elements = object.elements(value) ?? []
    let texts = elements.compactMap { object.string($0).flatMap { Self.valid($0, longest) } }
    guard value.kind == .array, elements.count <= most, texts.count == elements.count,
      texts.allSatisfy({ !$0.isEmpty })
    else { throw failure(name, "an array of at most \(most) words") }
    return Set(texts).sorted()
  }

  private static func valid(_ text: String, _ longest: Int) -> String? {
    text.count <= longest && !text.unicodeScalars.contains(where: \.isUnprintable) ? text : nil
  }
}
