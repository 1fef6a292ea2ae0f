package import HeartRate
import JSONLines
package import Platform
package import SessionData

/// Writes a recording that survives the end of its process and of the power: at most the last second is lost, and never a
/// line before it.
///
/// ``append(_:)`` puts a line into memory and returns; a thread of its own writes and syncs (fdatasync) a quarter of a
/// second after the first line that waits, so that a slow disk never holds up the caller. Lines are in the file in the order of
/// the calls, whichever thread made them. When writing fails, the lines are kept in memory, tried again each
/// second, and `onChange` hears of it: the caller keeps going.
package final class RecordingWriter: Sendable {
  package let path: String
  private let file: BackgroundFileWriter

  /// Creates the file (mode 0600) and its header, durably: the file and its folder are synced on return.
  /// - Parameters:
  ///   - replacing: puts the new recording in the place of a regular file of that name, once its header is durable.
  ///     Without it an existing file is never touched.
  ///   - onChange: hears the error when writing begins to fail, and nil when it works again; called on the
  ///     writer's thread.
  /// - Throws: when the file cannot be created or its header not be written; no file is left behind then.
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

  /// Writes what was appended; without ``close(at:wall:)`` no line says that the session ended.
  deinit { try? file.finish() }

  /// Appends the line of an event; nothing after an `end`. Never blocks on the disk, never throws; see ``failure``.
  package func append(_ event: SessionEvent) {
    file.append(isLast: event.kind == .end) { bytes in
      JSONLine.append(to: &bytes) { RecordingFormat.write(event, to: &$0) }
    }
  }

  /// Why the latest attempt to write failed; nil while writing works.
  package var failure: FileError? { file.failure }

  /// Lines that were dropped because the disk failed for so long that memory for them ran out.
  package var droppedLines: Int { file.droppedRecords }

  /// Waits until every line appended so far is durable.
  /// - Throws: when the next attempt to write fails; the lines stay in memory.
  package func sync() throws(FileError) { try file.sync() }

  /// Writes the line that ends the session (unless an `end` was appended), syncs and closes the file. What is appended afterwards is ignored.
  ///
  /// Waits for the disk. Closing again does nothing.
  /// - Throws: when what was appended could not be made durable.
  package func close(at time: SessionTime, wall: WallTime? = nil) throws(FileError) {
    append(SessionEvent(at: time, wall: wall, .end))
    try file.finish()
  }
}
