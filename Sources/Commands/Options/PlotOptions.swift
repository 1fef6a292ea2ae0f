import ArgumentParser
import Localization
import NetworkCommands
import Platform
import Plot
import Terminal

/// A file for the charts of a command.
struct PlotOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Draw the charts to this .svg, .png or .pdf file (PNG and PDF need rsvg-convert)."),
      valueName: "file.svg"),
    completion: Completions.files)
  var plot: String?

  @Flag(name: .long, help: .localized("Replace existing files."))
  var force = false

  func validate() throws { try Self.requireFormat(plot) }

  /// - Throws: `ValidationError` unless the extension of the file is that of SVG or PNG.
  static func requireFormat(_ plot: String?) throws {
    guard let plot, PlotFormat(path: plot) == nil else { return }
    throw ValidationError(
      Phrase(
        "'--plot \(plot.printable)' is neither an .svg, a .png nor a .pdf file. Example: --plot plot.svg"))
  }

  /// - Parameter name: of the file in the example.
  /// - Throws: `ValidationError` if `--force` is given without a file.
  func requireFileForForce(example name: String) throws {
    guard force, plot == nil else { return }
    throw ValidationError.requires("--force", "--plot", example: "--plot \(name) --force")
  }

  /// Creates the file, if one is named.
  func open() throws -> PlotFile? {
    guard let plot, let format = PlotFormat(path: plot) else { return nil }
    return try PlotFile(path: plot, format, replacing: force)
  }
}

/// The format of a plot.
enum PlotFormat: Equatable, Sendable {
  case svg
  case png
  case pdf

  /// The format by the extension of a file. A name without an extension gives SVG, an unknown extension `nil`.
  init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    let point = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
    switch name[point...].lowercased() {
    case "", ".svg": self = .svg
    case ".png": self = .png
    case ".pdf": self = .pdf
    default: return nil
    }
  }

  /// The content of the file.
  func bytes(of document: String, _ style: FigureStyle) throws(PNGError) -> [UInt8] {
    let svg = style.applied(to: document)
    return switch self {
    case .svg: Array(svg.utf8)
    case .png: try PNGPicture.rendered(svg: svg).bytes
    case .pdf: try PNGPicture.rendered(svg: svg, format: .pdf).bytes
    }
  }
}

extension FigureStyle {
  /// The style of the settings `figure-width` and `figure-colours`.
  init(_ context: CommandContext) {
    self.init(
      width: context[.figureWidth].flatMap(Self.width),
      colours: context[.figureColours].flatMap(Colours.init) ?? .colour)
  }
}

/// A file that will contain charts, created before the work whose charts it will contain.
struct PlotFile {
  private let format: PlotFormat
  private let style: FigureStyle
  private let file: OutputFile

  init(path: String, _ format: PlotFormat, replacing: Bool) throws {
    self.format = format
    style = try FigureStyle(CommandContext())
    file = try OutputFile(path: path, replacing: replacing)
  }

  /// Draws the SVG document and finishes the file. On failure, an existing file is unchanged.
  func write(_ svg: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try format.bytes(of: svg, style)
    } catch {
      discard()
      throw error
    }
    try file.write(bytes)
    printDiagnostic("stressmon: " + localized("wrote \(file.path.printable)"))
  }

  /// Removes the unfinished file.
  func discard() { file.discard() }
}
