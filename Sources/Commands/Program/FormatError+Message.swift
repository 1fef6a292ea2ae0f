import Formats
import Localization
import Platform
import Recording

extension FormatError {
  /// The description as a phrase. The names of formats, and why the content violates a format, are not translated.
  var message: Phrase {
    switch code {
    case .binary:
      Phrase("\(path) has an unknown format; list the supported formats with: stressmon import --help")
    case .badLine(let line) where line.reason != .noInterval:
      Phrase("\(path): \(line.message); select the column with: --column NAME or --column N")
    case .badLine(let line):
      Phrase("\(path): \(line.message); correct the line, or add --skip-bad-lines to skip such lines")
    case .noIntervals:
      Phrase(
        "\(path) contains no RR interval; expected one per line, or a table with a column of intervals, in ms or s"
      )
    case .malformed(let format, let place, let why):
      Phrase("\(path): \(place.message): \(why); the file was read as \(format.name)")
    case .noBeats(let format):
      Phrase("\(path) contains no RR interval; the file was read as \(format.name)")
    case .severalSessions(let format, let count):
      Phrase(
        """
        \(path), a \(format.name), contains \(count) sessions, but one is required; import them with: stressmon import \
        \(path), then select one with: stressmon replay --session ID
        """)
    case .wholeHistory:
      Phrase("\(path) is the database of a history; show it with: stressmon history --db \(path)")
    case .tooLarge(let limit):
      Phrase("\(path) is larger than \(limit >> 20) MiB, the limit for a list of RR intervals")
    }
  }
}

extension RRText.BadLine {
  fileprivate var message: Phrase {
    switch reason {
    case .noInterval: Phrase("line \(line) is not an RR interval: \"\(text.withoutControlCharacters)\"")
    case .columns(let names, plausible: 0):
      Phrase("no column contains RR intervals (columns: \(Self.list(names)))")
    case .columns(let names, let count):
      Phrase("\(count) columns are plausible as RR intervals (columns: \(Self.list(names)))")
    case .noColumn(let name, let names):
      Phrase("there is no column \(name.withoutControlCharacters) (columns: \(Self.list(names)))")
    }
  }
}

extension FilePlace {
  fileprivate var message: Phrase {
    switch self {
    case .line(let number): Phrase("line \(number)")
    case .byte(let offset): Phrase("byte \(offset)")
    }
  }
}

extension RecordingError {
  /// The description as a phrase. The reason why a line or the header is invalid is not translated.
  var message: Phrase {
    switch code {
    case .notARecording:
      Phrase(
        """
        \(path) is JSON without the header of a recording; of JSON, only files written by stressmon record or stressmon \
        export are supported
        """)
    case .newerVersion(let version):
      Phrase(
        """
        \(path) is a recording in version \(version) of the format; this program supports version \
        \(Self.supportedVersion). Update stressmon
        """)
    case .badHeader(let why): Phrase("the header of the recording \(path) is invalid: \(why)")
    case .badLine(let line, let why):
      Phrase("\(path): line \(line): \(why); the file was read as JSON lines of sessions")
    }
  }
}
