package import HeartRate
import JSONLines
package import Platform
package import SessionData

/// Writes a recording. If the process is killed or power is lost, at most the last second is missing.
///
/// ``append(_:)`` adds a line to a buffer and never blocks on the disk: a background queue writes and syncs (fdatasync)
/// 250 ms after the first buffered line. Lines have the order of the calls, from any thread. If a write fails, the lines
/// stay in memory and the write is retried every second.
package final class RecordingWriter: Sendable {
  package let path: String
  private let file: BackgroundFileWriter

  /// Creates the file (mode 0600) with its header. Both are durable on return (file and folder are synced).
  /// - Parameters:
  ///   - replacing: replaces an existing regular file once the new header is durable. If false, an existing file is an error.
  ///   - onChange: called on the background queue with the error when writing begins to fail, and with `nil` as soon as it
  ///     succeeds again.
  /// - Throws: if the file cannot be created or its header cannot be written; then no file remains.
  package init(
    path: String, header: RecordingHeader, replacing: Bool = false,
    onChange: @escaping @Sendable (FileError?) -> Void = { _ in }
  ) throws(FileError) {
    self.path = path
    let creation = try NewFile(path: path, replacing: replacing, appears: .immediate)
    file = BackgroundFileWriter(descriptor: creation.descriptor, path: path, onChange: onChange)
    do throws(FileError) {
      file.append { bytes in JSONLine.append(to: &bytes) { RecordingFormat.write(header, to: &$0) } }
      try file.sync()
      try creation.commit()
    } catch {
      file.abandon()
      creation.remove()
      throw error
    }
  }

  /// Writes the buffered lines. Without ``close(at:wall:)``, the recording has no end line.
  deinit { try? file.finish() }

  /// Appends an event; ignored after an `end`. Never blocks on the disk. Failures are reported by ``failure``.
  package func append(_ event: SessionEvent) {
    file.append(isLast: event.kind == .end) { bytes in
      JSONLine.append(to: &bytes) { RecordingFormat.write(event, to: &$0) }
    }
  }

  /// Error of the latest write, if it failed.
  package var failure: FileError? { file.failure }

  /// Waits until all lines appended so far are durable.
  /// - Throws: the error of the next attempt; the lines stay in memory.
  package func sync() throws(FileError) { try file.sync() }

  /// Appends the end of the session (unless an `end` was appended), syncs and closes the file. Waits for the disk. Later
  /// events are ignored; repeated calls do nothing.
  /// - Throws: if not all lines could be made durable.
  package func close(at time: SessionTime, wall: WallTime? = nil) throws(FileError) {
    append(SessionEvent(at: time, wall: wall, .end))
    try file.finish()
  }
}
