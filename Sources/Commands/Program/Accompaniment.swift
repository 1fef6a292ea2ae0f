/// Runs `body`, and beside it `companion`, which is cancelled when `body` is over and waited for.
func accompanied<Result: Sendable>(
  by companion: @escaping @Sendable () async throws -> Void,
  _ body: @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await companion() }
    let result: Result
    do {
      result = try await body()
    } catch {
      group.cancelAll()
      try? await group.waitForAll()
      throw error
    }
    group.cancelAll()
    try await group.waitForAll()
    return result
  }
}
