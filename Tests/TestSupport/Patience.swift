/// Retries `body` with timeouts of 1, 5, 25 and 125 s until its result satisfies `isThere`, because a busy
/// machine can take longer. Returns the last result.
package func givenTime<Result>(
  _ body: (_ seconds: Int) throws -> Result, until isThere: (Result) -> Bool
) rethrows -> Result {
  for seconds in [1, 5, 25] {
    let result = try body(seconds)
    if isThere(result) { return result }
  }
  return try body(125)
}

/// The asynchronous variant of ``givenTime(_:until:)``.
package func givenTime<Result>(
  _ body: (_ seconds: Int) async throws -> Result, until isThere: (Result) -> Bool
) async rethrows -> Result {
  for seconds in [1, 5, 25] {
    let result = try await body(seconds)
    if isThere(result) { return result }
  }
  return try await body(125)
}
