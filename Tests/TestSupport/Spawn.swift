import Glibc

/// Serialises the creation of pipes and child processes. pipe2 is not imported, and a child that is started
/// between pipe and FD_CLOEXEC would keep the pipe open.
private final class SpawnLock: @unchecked Sendable {
  // The class has no other state, and the mutex does not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  func callAsFunction<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}

private let alone = SpawnLock()

/// A pipe that child processes do not inherit.
struct Pipe {
  let readEnd: CInt
  let writeEnd: CInt

  init() throws(SystemCallError) {
    var ends: [CInt] = [-1, -1]
    let code = alone {
      let code = pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return code
    }
    guard code == 0 else { throw SystemCallError("pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  func closeReadEnd() { close(readEnd) }
  func closeWriteEnd() { close(writeEnd) }
}

/// Collects the output of a child process.
struct Collector {
  private(set) var descriptor: CInt
  private(set) var bytes: [UInt8] = []
  private(set) var ended = false

  init(descriptor: CInt) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The complete lines so far, without line terminators.
  var lines: [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Text after the last newline is a line only after the end of the stream.
    if let last = lines.last, last.isEmpty || !ended { lines.removeLast() }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads available bytes; returns false if there are none or the stream has ended.
  @discardableResult
  mutating func drain() -> Bool {
    guard descriptor >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      bytes += buffer.prefix(count)
      return true
    }
    if count == 0 || (errno != EAGAIN && errno != EINTR) { close() }
    return false
  }

  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    ended = true
  }
}

/// Returns the caller's environment with `changes`.
func merged(_ changes: [String: String?]) -> [String] {
  var variables: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    variables[String(pair[0])] = pair.count > 1 ? String(pair[1]) : ""
    entry += 1
  }
  for (name, value) in changes { variables[name] = value }
  return variables.map { "\($0)=\($1)" }
}

/// Starts a program with `descriptors` as descriptors 0, 1 and 2 and with default signal handling.
func spawn(_ arguments: [String], environment: [String], descriptors: [CInt]) throws(SystemCallError) -> pid_t
{
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (target, source) in descriptors.enumerated() {
    posix_spawn_file_actions_adddup2(&actions, source, CInt(target))
  }
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  useDefaultSignals(&attributes)

  var argumentPointers = arguments.map { strdup($0) } + [nil]
  var environmentPointers = environment.map { strdup($0) } + [nil]
  defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
  var processID: pid_t = 0
  let code = alone {
    posix_spawn(&processID, arguments[0], &actions, &attributes, &argumentPointers, &environmentPointers)
  }
  guard code == 0 else { throw SystemCallError("start \(arguments[0])", code: code) }
  return processID
}

private func useDefaultSignals(_ attributes: inout posix_spawnattr_t) {
  var all = sigset_t()
  var none = sigset_t()
  sigfillset(&all)
  sigemptyset(&none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
}
