import Glibc
import Synchronization
import Testing

/// Runs tests on a dedicated thread pool.
///
/// These tests block their thread while waiting for processes. On the shared pool, which has one thread per core, they
/// would delay all other tests, including those that measure time.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  static var ownThreads: Self { OwnThreads() }
}

/// A fixed number of threads, each of which runs one job at a time.
private final class BlockingThreads: TaskExecutor {
  static let shared = BlockingThreads(count: 8)

  private let jobs = JobQueue()

  private init(count: Int) {
    for _ in 0..<count {
      let jobs = jobs
      let executor = asUnownedTaskExecutor()
      startThread { while true { jobs.next().runSynchronously(on: executor) } }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }
}

/// A blocking queue.
// @unchecked: `waiting` is read and written with `mutex` held only; the pointers never change.
private final class JobQueue: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let notEmpty = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [UnownedJob] = []

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(notEmpty, nil)
  }

  func append(_ job: UnownedJob) {
    pthread_mutex_lock(mutex)
    waiting.append(job)
    pthread_cond_signal(notEmpty)
    pthread_mutex_unlock(mutex)
  }

  func next() -> UnownedJob {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty { pthread_cond_wait(notEmpty, mutex) }
    return waiting.removeFirst()
  }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { box in
      if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  pthread_detach(thread)
}
