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
      localized("Draw the charts to this .svg or .png file (PNG needs rsvg-convert)."), valueName: "file.svg"),
    completion: Completions.files)
  var plot: String?

  @Flag(name: .long, help: .localized("Replace existing files."))
  var force = false

  func validate() throws { try Self.requireFormat(plot) }

  /// - Throws: `ValidationError` unless the extension of the file is that of SVG or PNG.
  static func requireFormat(_ plot: String?) throws {
    guard let plot, ResultFiles.Content.plot(in: plot) == nil else { return }
    throw ValidationError(
      Phrase("'--plot \(plot.printable)' is neither an .svg nor a .png file. Example: --plot plot.svg"))
  }

  /// Draws the figure, if a file is named.
  /// - Parameter svg: an SVG document.
  func write(_ svg: @autoclosure () -> String) throws {
    guard let plot else { return }
    let isPicture = ResultFiles.Content.plot(in: plot) == .picture
    let bytes = try isPicture ? PNGPicture.rendered(svg: svg()).bytes : Array(svg().utf8)
    try OutputFile(path: plot, replacing: force).write(bytes)
    printDiagnostic("stressmon: wrote \(plot.printable)")
  }
}
