import SystemPackage

/// A result file that appears under its name only when it is complete (atomic). Only its owner can read it (mode 0600).
package struct OutputFile: Sendable {
  private let file: NewFile

  package var path: String { file.path }
  /// The path until ``finish()``.
  package var temporaryPath: String { file.currentPath }

  /// Creates the file, before the work whose results it will contain.
  /// - Throws: `exists` if a file of this name exists and `replacing` is false.
  package init(path: String, replacing: Bool) throws(FileError) {
    file = try NewFile(path: path, replacing: replacing, appears: .onCommit)
  }

  /// Writes `bytes` and finishes the file. On failure, an existing file is unchanged.
  package consuming func write(_ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) {
      try append(bytes)
    } catch {
      discard()
      throw error
    }
    try finish()
  }

  /// Writes a part of the content.
  package func append(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  /// Makes the content durable and gives the file its name. On failure, an existing file is unchanged.
  package consuming func finish() throws(FileError) {
    do throws(FileError) {
      try file.sync()
      try file.commit()
    } catch {
      discard()
      throw error
    }
    try? file.descriptor.close()
  }

  /// Removes the unfinished file.
  package consuming func discard() {
    try? file.descriptor.close()
    file.remove()
  }
}
