/// The reason why a recording cannot be read, and the remedy. Failures of the file itself are `FileError`.
package struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// The file does not begin with the header of a recording.
    case notARecording
    /// The version of the format is newer than ``RecordingFormat/version``.
    case newerVersion(Int64)
    case badHeader(String)
    /// An invalid line of a file with several sessions, with the reason. Such lines are not skipped.
    case badLine(Int, String)
  }

  /// The newest version of the format that can be read.
  package static let supportedVersion = RecordingFormat.version

  package var code: Code
  package var path: String

  package init(_ code: Code, path: String) {
    self.code = code
    self.path = path
  }

  package var description: String {
    switch code {
    case .notARecording:
      "\(path) is JSON without the header of a recording; of JSON, only files written by stressmon record or "
        + "stressmon export are supported"
    case .newerVersion(let version):
      "\(path) is a recording in version \(version) of the format; this program supports version "
        + "\(Self.supportedVersion). Update stressmon"
    case .badHeader(let why): "the header of the recording \(path) is invalid: \(why)"
    case .badLine(let line, let why):
      "\(path): line \(line): \(why); the file was read as JSON lines of sessions"
    }
  }
}
