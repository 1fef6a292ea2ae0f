import Formats
import HRV
import Localization
import NetworkCommands
import Platform
import Plot
import Reports
import Terminal

/// The files with the results of an analysis, created before the analysis.
///
/// The results of one input are written to the named file. With several inputs, each has its own file with the name of the
/// input before the extension: `beats.csv` and `rest.txt` give `beats-rest.csv`.
struct ResultFiles {
  /// The content of a file.
  enum Content {
    case beats
    case plot(PlotFormat, FigureStyle, title: String?)
    /// The methods and the input of a plot.
    case provenance

    fileprivate func bytes(_ analysis: SessionAnalysis) throws(PNGError) -> [UInt8] {
      let all = analysis.top == .raw ? analysis.topBeats : analysis.classified
      switch self {
      case .beats: return BeatCSV(all).bytes
      case .plot(let format, let style, let title):
        let name = analysis.file.split(separator: "/").last.map(String.init) ?? analysis.file
        return try format.bytes(
          of: BeatFigure(
            title: title ?? name, beats: all, series: analysis.topBeats,
            spectrum: analysis.methods.spectrum
          ).svg, style)
      case .provenance: return analysis.provenance.sidecar(file: analysis.file)
      }
    }
  }

  private struct Target {
    let content: Content
    let path: String
    let file: OutputFile
  }

  /// The files of each input that are not written yet.
  private var targets: [[Target]] = []

  /// - Throws: ``CommandFailure`` if the results of two inputs have the same file; ``FileError`` if a file cannot be created.
  init(_ wanted: [(content: Content, path: String)], inputs: [String], replacing: Bool) throws {
    let paths = wanted.map { wanted in inputs.map { Self.path(wanted.path, of: $0, among: inputs.count) } }
    var seen: Set<String> = []
    for path in paths.joined() where !seen.insert(path).inserted {
      throw CommandFailure(
        .failed,
        Phrase(
          "two inputs have the same name, and their results the same file \(path.printable): analyze them one by one"
        ))
    }
    targets = inputs.map { _ in [] }
    do {
      for (kind, paths) in zip(wanted, paths) {
        for (place, path) in paths.enumerated() {
          let file = try OutputFile(path: path, replacing: replacing)
          targets[place].append(Target(content: kind.content, path: path, file: file))
        }
      }
    } catch {
      discard()
      throw error
    }
  }

  /// Writes the results of the input at `place`.
  mutating func write(_ analysis: SessionAnalysis, at place: Int) throws {
    while let target = targets[place].last {
      let bytes = try target.content.bytes(analysis)
      targets[place].removeLast()
      try target.file.write(bytes)
      printDiagnostic("stressmon: " + localized("wrote \(target.path.printable)"))
    }
  }

  /// Removes the files that were not written.
  mutating func discard() {
    for target in targets.joined() { target.file.discard() }
    targets = targets.map { _ in [] }
  }

  static func path(_ path: String, of input: String, among count: Int) -> String {
    guard count > 1 else { return path }
    let (folder, file) = split(path)
    let name = input == "-" ? "stdin" : stem(split(input).name).stem
    let parts = stem(file)
    return "\(folder)\(parts.stem)-\(name)\(parts.ending)"
  }

  private static func split(_ path: String) -> (folder: Substring, name: Substring) {
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    return (path[..<start], path[start...])
  }

  /// The name without its extension, and the extension with its dot.
  private static func stem(_ name: Substring) -> (stem: Substring, ending: Substring) {
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return (name, "") }
    return (name[..<point], name[point...])
  }
}
