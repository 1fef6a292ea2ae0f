import Formats
import HRV
import Platform
import Plot
import Terminal

/// The files that an analysis of some inputs goes to beside standard output, made before the work begins.
///
/// One input goes to the file that was named. Several go to one file each, with the input's own name put in before the
/// ending: `beats.csv` and `rest.txt` make `beats-rest.csv`.
struct ResultFiles {
  /// What a file holds.
  enum Content {
    case beats
    case plot
    /// The plot as PNG.
    case picture

    /// What a plot in a file of that name is; SVG where the name has no ending, nil where it is that of something else.
    static func plot(in path: String) -> Content? {
      let name = path.split(separator: "/").last ?? ""
      guard let point = name.dropFirst().lastIndex(of: ".") else { return .plot }
      switch name[point...].lowercased() {
      case ".svg": return .plot
      case ".png": return .picture
      default: return nil
      }
    }

    fileprivate func bytes(_ analysis: SessionAnalysis) throws(PNGError) -> [UInt8] {
      let all = analysis.top == .raw ? analysis.topBeats : analysis.classified
      var plot: String { BeatFigure(title: analysis.file, beats: all, series: analysis.topBeats).svg }
      switch self {
      case .beats: return BeatCSV(all).bytes
      case .plot: return Array(plot.utf8)
      case .picture: return try PNGPicture.rendered(svg: plot).bytes
      }
    }
  }

  private struct Target {
    let content: Content
    let path: String
    let file: OutputFile
  }

  /// By input, those that are not written yet.
  private var targets: [[Target]] = []

  /// - Throws: ``CommandFailure`` where two inputs would go to one file; ``FileError`` where a file cannot be made.
  init(_ wanted: [(content: Content, path: String)], inputs: [String], replacing: Bool) throws {
    let paths = wanted.map { wanted in inputs.map { Self.path(wanted.path, of: $0, among: inputs.count) } }
    var seen: Set<String> = []
    for path in paths.joined() where !seen.insert(path).inserted {
      throw CommandFailure(
        .failed,
        "two results would go to \(path.printable): their inputs bear the same name; analyze them one by one")
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

  /// Writes what belongs to the input at `place`.
  mutating func write(_ analysis: SessionAnalysis, at place: Int) throws {
    while let target = targets[place].last {
      let bytes = try target.content.bytes(analysis)
      targets[place].removeLast()
      try target.file.write(bytes)
      printDiagnostic("stressmon: wrote \(target.path.printable)")
    }
  }

  /// Takes away what was not written.
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

  /// The name without its ending, and the ending with its point.
  private static func stem(_ name: Substring) -> (stem: Substring, ending: Substring) {
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return (name, "") }
    return (name[..<point], name[point...])
  }
}
