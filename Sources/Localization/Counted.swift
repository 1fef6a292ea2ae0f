/// A count with its noun in English: `1 beat`, `2 beats`.
/// - Parameter many: the plural; nil for `one` with an s.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}
