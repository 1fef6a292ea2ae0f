/// Runs `body` with 1, 5, 25 and 125 s until what it gives is as it should be: what a quiet machine does within a second
/// may take a busy one longer. Gives what the last run gave.
public func givenTime<Result>(
  _ body: (_ seconds: Int) throws -> Result, until isThere: (Result) -> Bool
) rethrows -> Result {
  for seconds in [1, 5, 25] {
    let result = try body(seconds)
    if isThere(result) { return result }
  }
  return try body(125)
}

/// ``givenTime(_:until:)`` for what waits without holding a thread.
public func givenTime<Result>(
  _ body: (_ seconds: Int) async throws -> Result, until isThere: (Result) -> Bool
) async rethrows -> Result {
  for seconds in [1, 5, 25] {
    let result = try await body(seconds)
    if isThere(result) { return result }
  }
  return try await body(125)
}
