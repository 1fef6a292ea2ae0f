import Dashboard
import Glibc
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

/// A failure to start. The description states what to type next.
struct NoMeasuringProgram: Error, CustomStringConvertible {
  let folder: String

  var description: String {
    "the program stressmon is not in \(folder). Install the package stressmon, or copy both programs to one directory"
  }
}
