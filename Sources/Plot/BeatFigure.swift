package import HRV
import HeartRate

/// A figure of a series of beats: tachogram, Poincaré plot and spectrum.
///
/// An SVG document for a light page, 800 pixels wide. Text remains text, and marks differ in shape as well as
/// in colour. Long series are downsampled to the extremes of each pixel column.
package struct BeatFigure: Sendable {
  private let title: String
  let beats: [Beat]
  let series: [Beat]
  private let spectrum: SpectrumSettings
  let texts: FigureTexts

  /// Creates a figure.
  /// - Parameters:
  ///   - title: arbitrary text, such as a file name.
  ///   - beats: the beats as received, with their verdicts.
  ///   - series: the input of the metrics: `beats`, or a series corrected from them.
  ///   - spectrum: the method of the spectrum.
  package init(
    title: String, beats: [Beat], series: [Beat], spectrum: SpectrumSettings = SpectrumSettings(),
    texts: FigureTexts = .english
  ) {
    (self.title, self.beats, self.series, self.texts) = (title, beats, series, texts)
    self.spectrum = spectrum
  }

  /// The SVG document.
  package var svg: String {
    var canvas = SVGCanvas(width: 800, height: 760)
    canvas.define(BeatMark.definitions())
    canvas.text(Self.clipped(title), x: 20, y: 28, attributes: "font-size=\"17\" font-weight=\"600\"")
    canvas.text(description, x: 20, y: 48)
    Tachogram(beats: beats).draw(in: Frame(left: 72, top: 96, width: 706, height: 220), on: &canvas)
    let segments = NNSegments(series)
    PoincarePlot(beats: series, sums: sums).draw(
      in: Frame(left: 72, top: 398, width: 300, height: 300), on: &canvas)
    SpectrumPlot(
      bands: SpectralBands(segments, settings: spectrum), title: "Spectrum (\(spectrum.name))"
    ).draw(
      in: Frame(left: 460, top: 398, width: 318, height: 300), on: &canvas)
    return canvas.document(title: title, description: description)
  }

  var sums: NNSums { NNSeries(series).sums }

  /// A sentence that describes the picture, for accessibility.
  private var description: String {
    let (sums, marked) = (sums, beats.count { !$0.verdict.isNormal })
    let rmssd = sums.rmssd.map { ", RMSSD \($0.svg) ms" } ?? ""
    let sdnn = sums.sdnn.map { ", SDNN \($0.svg) ms" } ?? ""
    return
      "\(beats.count) \(beats.count == 1 ? "beat" : "beats"), \(marked) of them not normal\(rmssd)\(sdnn)"
  }

  /// Truncates the title to the width of the picture.
  private static func clipped(_ title: String) -> String {
    title.count > 80 ? "…" + title.suffix(79) : title
  }
}
