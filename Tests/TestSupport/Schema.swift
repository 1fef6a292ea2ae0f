import Foundation

/// A JSON Schema in docs/reference/schema, of which tests without a validator compare the keys.
package struct Schema {
  private let keys: Set<String>

  /// - Parameter name: such as `scan`.
  package init(_ name: String) throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/docs/reference/schema/\(name).schema.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    keys = Set(try JSONValue(text)["properties"]?.members.keys.map(\.self) ?? [])
  }

  /// The keys that either the schema or the object lacks.
  package func differences(from object: JSONValue) -> Set<String> {
    keys.symmetricDifference(object.members.keys)
  }
}
