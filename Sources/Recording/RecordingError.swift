/// A recording that cannot be read: why, and what to type next. Failures of the file itself are `FileError`.
package struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// The file does not begin with the header of a recording.
    case notARecording
    /// The version of the format is newer than ``RecordingFormat/version``.
    case newerVersion(Int64)
    case badHeader(String)
    /// A line of a file with several sessions, and why it cannot be read. Such files are read without tolerance.
    case badLine(Int, String)
  }

  package var code: Code
  package var path: String

  package init(_ code: Code, path: String) {
    self.code = code
    self.path = path
  }

  package var description: String {
    switch code {
    case .notARecording:
      "\(path) begins like JSON, but not with the header of a recording; of JSON, only what stressmon record and "
        + "stressmon export write can be read"
    case .newerVersion(let version):
      "\(path) is a recording in version \(version) of the format, and this program knows version "
        + "\(RecordingFormat.version); use a newer stressmon"
    case .badHeader(let why): "the header of the recording \(path) cannot be used: \(why)"
    case .badLine(let line, let why): "\(path): line \(line): \(why); it was read as JSON lines of sessions"
    }
  }
}
