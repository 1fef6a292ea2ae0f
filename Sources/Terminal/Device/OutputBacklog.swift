/// Output that the reader of a non-blocking descriptor has not accepted yet.
struct OutputBacklog {
  /// In bytes: half a day of a session as lines of JSON. Lines beyond it are dropped.
  private static let limit = 32 << 20

  private var bytes: [UInt8] = []
  /// The length of the prefix of `bytes` that is already written.
  private var written = 0
  private var dropped = 0
  /// Whether a task retries until the backlog is empty.
  private var hasRetryTask = false

  private var pending: Int { bytes.count - written }

  /// The number of bytes that the reader has not received.
  var lostBytes: Int { pending + dropped }

  /// Writes as much as possible and buffers the rest. Returns true if the caller has to start the task that calls
  /// ``retry(_:)``.
  mutating func write(_ new: UnsafeRawBufferPointer, to descriptor: NonblockingDescriptor) throws -> Bool {
    let count = try flush(to: descriptor) ? try unsafe descriptor.write(new) : 0
    let rest = unsafe new[count...]
    // Only whole lines are dropped: the rest of a line that is partly written is always buffered.
    if unsafe count > 0 || pending + rest.count <= Self.limit {
      unsafe bytes += rest
    } else {
      dropped += unsafe rest.count
    }
    defer { hasRetryTask = hasRetryTask || pending > 0 }
    return pending > 0 && !hasRetryTask
  }

  /// Writes as much as possible. Returns the number of bytes that remain; 0 ends the task.
  mutating func retry(_ descriptor: NonblockingDescriptor) throws -> Int {
    hasRetryTask = try !flush(to: descriptor)
    return pending
  }

  /// Writes as much as possible. Returns true if nothing remains.
  mutating func flush(to descriptor: NonblockingDescriptor) throws -> Bool {
    guard pending > 0 else { return true }
    written += try unsafe bytes.withUnsafeBytes {
      try unsafe descriptor.write(UnsafeRawBufferPointer(rebasing: $0[written...]))
    }
    guard pending == 0 else {
      if written > Self.limit / 2 {
        bytes.removeFirst(written)
        written = 0
      }
      return false
    }
    (bytes, written) = ([], 0)
    return true
  }
}
