internal import Glibc
package import SystemPackage

/// Appends to a file from memory: a background queue writes and syncs (fdatasync) the buffer.
///
/// A record is durable 250 ms plus one sync after ``append(isLast:_:)``. If a write fails, the rest is kept and retried
/// every second, starting at the first byte that was not written.
package final class BackgroundFileWriter: Sendable {
  /// Delay between the first record of a batch and its write, in ms.
  private static let delay = 250
  /// Limit of the buffer in bytes while writes fail: several days of one session. Further records are dropped.
  static let bufferLimit = 64 << 20

  private let descriptor: FileDescriptor
  private let path: String
  private let onChange: @Sendable (FileError?) -> Void
  private let committer = BackgroundCommitter(label: "stressmon.file", delay: delay)
  private let buffer = Locked(Buffer())

  private struct Buffer {
    /// Records that are not yet part of a batch.
    var pending: [UInt8] = []
    /// The unwritten rest of a failed batch.
    var backlog: ArraySlice<UInt8> = []
    /// Number of appended records.
    var appended = 0
    /// Number of appended records that are durable.
    var durable = 0
    /// Error of the latest write, if it failed.
    var failure: FileError?
    /// The last record was appended.
    var isSealed = false
    /// The file is closed.
    var isClosed = false

    var isEmpty: Bool { backlog.isEmpty && pending.isEmpty }
  }

  /// Takes ownership of `descriptor`, which must be open for appending.
  /// - Parameter onChange: called on the background queue with the error when writing begins to fail, and with `nil` as soon
  ///   as it succeeds again.
  package init(descriptor: FileDescriptor, path: String, onChange: @escaping @Sendable (FileError?) -> Void) {
    self.descriptor = descriptor
    self.path = path
    self.onChange = onChange
  }

  /// Error of the latest write, if it failed.
  package var failure: FileError? { buffer.withLock { $0.failure } }

  /// Adds one record to the buffer. Ignored after a record with `isLast` and after ``finish()``. Never blocks on the disk.
  /// - Parameter write: appends the bytes of the record.
  package func append(isLast: Bool = false, _ write: (inout [UInt8]) -> Void) {
    let isAppended = buffer.withLock { buffer in
      guard !buffer.isSealed, !buffer.isClosed else { return false }
      buffer.isSealed = isLast
      guard buffer.backlog.count + buffer.pending.count < Self.bufferLimit else { return false }
      write(&buffer.pending)
      buffer.appended += 1
      return true
    }
    if isAppended { committer.request(self) }
  }

  /// Waits until all records appended so far are durable.
  /// - Throws: the error of the write; the records stay in the buffer.
  package func sync() throws(FileError) {
    committer.performAndWait { [self] in _ = commit() }
    try requireDurable()
  }

  /// Tries a last write and closes the file. Repeated calls do nothing.
  package func finish() throws(FileError) {
    guard !buffer.withLock({ $0.isClosed }) else { return }
    committer.performAndWait { [self] in
      _ = commit()
      close()
    }
    try requireDurable()
  }

  /// Discards the buffer and closes the file.
  package func abandon() {
    committer.performAndWait { [self] in close() }
  }

  private func requireDurable() throws(FileError) {
    let failure = buffer.withLock { $0.durable < $0.appended ? $0.failure : nil }
    if let failure { throw failure }
  }
}

// MARK: Background queue

extension BackgroundFileWriter: BackgroundCommitted {
  package func commit() -> Bool {
    guard let (batch, goal) = nextBatch() else { return true }
    let (rest, failure) = write(batch)
    let changed = buffer.withLock { buffer in
      buffer.backlog = rest
      if failure == nil { buffer.durable = goal }
      defer { buffer.failure = failure }
      return (buffer.failure == nil) != (failure == nil)
    }
    if changed { onChange(failure) }
    return failure == nil
  }

  /// The pending bytes, and the number of records that are durable once they are written. Returns `nil` if nothing is pending
  /// or the file is closed.
  private func nextBatch() -> (ArraySlice<UInt8>, records: Int)? {
    buffer.withLock { buffer in
      guard !buffer.isEmpty, !buffer.isClosed else { return nil }
      let batch = buffer.backlog + buffer.pending
      buffer.pending.removeAll(keepingCapacity: true)
      buffer.backlog = []
      return (batch, buffer.appended)
    }
  }

  /// Returns the bytes that could not be written. Bytes that were written but not synced are not returned: the kernel
  /// reports a failed sync only once, so a second sync would succeed without writing them.
  private func write(_ batch: ArraySlice<UInt8>) -> (rest: ArraySlice<UInt8>, failure: FileError?) {
    let (rest, failure) = descriptor.append(batch)
    if let failure { return (rest, FileError(errno: failure.rawValue, path: path)) }
    // Devices and pipes cannot be synced and return EINVAL.
    guard fdatasync(descriptor.rawValue) == 0 || errno == EINVAL else {
      return (rest, FileError(errno: errno, path: path))
    }
    return (rest, nil)
  }

  private func close() {
    let isOpen = buffer.withLock { buffer in
      defer { (buffer.pending, buffer.backlog, buffer.isClosed) = ([], [], true) }
      return !buffer.isClosed
    }
    if isOpen { try? descriptor.close() }
  }
}
