package import Platform

/// Why the lines of another program cannot be used as a source.
package enum SourceError: Error, Equatable, Sendable {
  /// There is no FIFO, file or device with this path.
  case missing(String)
  /// The input cannot be opened or read.
  case file(FileError)
  /// No program listens on the socket.
  case noListener(String, reason: String)
  /// A speed was given for an input that is live.
  case paceOfLiveSource(String)
  /// The input ended without a line.
  case empty(String)
  /// No line could be used; the reason of the first.
  case unusable(String, String)
  /// The input ended before a reading had a result.
  case tooShort(String, seconds: Double)
}
