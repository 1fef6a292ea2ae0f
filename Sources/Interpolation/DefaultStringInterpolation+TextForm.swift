// The compiler imports this module into each file of the targets that Package.swift names. A string can then contain only
// values with a text form: without these overloads, `"\(value)"` also accepts a value that has none, and prints its stored
// properties. Deprecated declarations are errors, because warnings are.

extension DefaultStringInterpolation {
  /// Rejects values without `CustomStringConvertible`.
  @available(
    *, deprecated,
    message: "the value has no text form: interpolate a property, or String(describing:) in diagnostics"
  )
  public mutating func appendInterpolation<Value>(_ value: Value) {
    appendInterpolation(String(describing: value))
  }

  /// Rejects arrays, whose text contains the reflection of their elements.
  @available(*, deprecated, message: "an array has no text form: join its elements")
  public mutating func appendInterpolation<Element>(_ value: [Element]) {
    appendInterpolation(String(describing: value))
  }

  /// Rejects sets, whose text contains the reflection of their elements in random order.
  @available(*, deprecated, message: "a set has no text form: sort and join its elements")
  public mutating func appendInterpolation<Element>(_ value: Set<Element>) {
    appendInterpolation(String(describing: value))
  }

  /// Rejects dictionaries, whose text contains the reflection of their values in random order.
  @available(*, deprecated, message: "a dictionary has no text form: sort and join its elements")
  public mutating func appendInterpolation<Key, Value>(_ value: [Key: Value]) {
    appendInterpolation(String(describing: value))
  }
}
