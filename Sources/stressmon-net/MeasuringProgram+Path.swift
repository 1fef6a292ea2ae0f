import Dashboard
import Glibc
import Localization
import Platform

extension MeasuringProgram {
  /// The program that measures: in the directory of this program, or in `bin` beside its libexec directory.
  static func find() throws(NoMeasuringProgram) -> String {
    let folder = Folder.ofProgram
    let candidates = ["\(folder)/stressmon", "\(folder)/../../bin/stressmon"]
    guard let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw NoMeasuringProgram(folder: folder)
    }
    return found
  }
}

/// A failure to start. The message states what to type next.
struct NoMeasuringProgram: Error, Translatable {
  let folder: String

  /// The message in English.
  var description: String { Language.english.text(message) }

  var message: Phrase {
    Phrase(
      """
      the program stressmon is not in \(folder). Install the package stressmon, or copy both programs to one directory
      """)
  }
}
