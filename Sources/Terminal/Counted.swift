/// `1 beat`, `2 beats`, in English.
///
/// - Parameter many: The plural, if it is not `one` with an s.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}
