import Glibc

/// A failure to write to standard output.
package enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The reader has closed the pipe (EPIPE), as `head` does after the last line it prints. Not a failure of the command.
  case closedPipe
  case writeFailed(errno: CInt)
  /// The reader did not accept this number of bytes before the timeout.
  case notReadInTime(bytes: Int)

  /// The error for the error number of `write`.
  init(errno: CInt) { self = errno == EPIPE ? .closedPipe : .writeFailed(errno: errno) }

  package var description: String {
    switch self {
    case .closedPipe: "the reader of standard output has closed the pipe"
    case .writeFailed(let code): unsafe "cannot write to standard output: \(String(cString: strerror(code)))"
    case .notReadInTime(let bytes): "the output was not read in time: \(bytes) bytes were discarded"
    }
  }
}
