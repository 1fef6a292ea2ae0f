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
    case .badLine(let line): Phrase("\(path): \(line.message); \(line.remedyMessage(path: path))")
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
    case .tooManyBeats(let limit):
      Phrase("a session in \(path) has more than \(limit) beats, the limit; split the file")
    case .tooLarge(let limit):
      Phrase("\(path) is larger than \(limit >> 20) MiB, the limit for a list of RR intervals")
    }
  }
}

extension RRText.BadLine {
  fileprivate var message: Phrase {
    switch reason {
    case .noInterval: Phrase("line \(line) is not an RR interval: \"\(text.withoutControlCharacters)\"")
    case .tooLong(let limit): Phrase("line \(line) is longer than \(limit >> 20) MiB, the limit of a line")
    case .columns(let names, plausible: 0):
      Phrase("no column contains RR intervals (columns: \(Self.list(names)))")
    case .columns(let names, let count):
      Phrase("\(count) columns are plausible as RR intervals (columns: \(Self.list(names)))")
    case .noColumn(let name, let names):
      Phrase("there is no column \(name.withoutControlCharacters) (columns: \(Self.list(names)))")
    case .groups(let column, let values, let isMore, _):
      Phrase(
        """
        the column \(Self.list([column])) has several values (\(Self.list(values + (isMore ? ["..."] : [])))), and one person \
        and one condition are required
        """)
    case .results(let column, let examples):
      Phrase(
        """
        the column \(Self.list([column])) has a different time in each row (\(Self.list(examples))), minutes or days apart: the \
        rows are results, such as daily averages, and not successive RR intervals
        """)
    case .times(let column, let intervals):
      Phrase(
        """
        the times in the column \(Self.list([column])) are not understood, or do not agree with the RR intervals in the column \
        \(Self.list([intervals]))
        """)
    case .time(let column, _):
      Phrase(
        """
        line \(line): the time in the column \(Self.list([column])) is not understood, or before that of an earlier line: \
        "\(text.withoutControlCharacters)"
        """)
    }
  }

  fileprivate func remedyMessage(path: String) -> Phrase {
    switch reason {
    case .noInterval: Phrase("correct the line, or add --skip-bad-lines to skip such lines")
    case .tooLong: Phrase("write one interval per line")
    case .columns, .noColumn: Phrase("select the column with: --column NAME or --column N")
    case .groups(_, _, _, let selection?):
      Phrase(
        "write the rows of each value to a file, for example: \("\(selection.withoutControlCharacters) \(path) > first.csv")"
      )
    case .groups: Phrase("write the rows of each value to a file")
    case .results:
      Phrase(
        "export the RR intervals of a measurement from the app, as text with one interval per line, and name that file"
      )
    case .times(_, let intervals), .time(_, let intervals):
      Phrase(
        """
        write times as 2026-06-01T07:30:00.123, or in s or ms, or read the intervals without times: \
        \("--column \(Self.list([intervals]))")
        """)
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
