/// Runs `body` with `task` in the background. Cancels `task` and waits for it when `body` returns or throws.
package func withBackgroundTask<Result: Sendable>(
  _ task: @escaping @Sendable () async throws -> Void,
  _ body: @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await task() }
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
