public import HRV
import HeartRate

/// A series of beats in one picture: tachogram, Poincaré plot and spectrum.
///
/// An SVG document for a light page, 800 pixels wide: text stays text, every mark has its shape as well as its colour,
/// and a day of beats is thinned to what a screen shows, of each column its extremes.
public struct BeatFigure: Sendable {
  private let title: String
  private let beats: [Beat]
  private let series: [Beat]

  /// - Parameters:
  ///   - title: what it shows, such as the name of a file; any text.
  ///   - beats: as they came, with their verdicts.
  ///   - series: what the metrics are computed from, such as `beats` themselves or a corrected series of them.
  public init(title: String, beats: [Beat], series: [Beat]) {
    (self.title, self.beats, self.series) = (title, beats, series)
  }

  /// The document.
  public var svg: String {
    var canvas = SVGCanvas(width: 800, height: 760)
    canvas.define(BeatMark.definitions)
    canvas.text(Self.clipped(title), x: 20, y: 28, attributes: "font-size=\"17\" font-weight=\"600\"")
    canvas.text(description, x: 20, y: 48)
    Tachogram(beats: beats).draw(in: Frame(left: 72, top: 96, width: 706, height: 220), on: &canvas)
    let segments = NNSegments(series)
    PoincarePlot(beats: series, sums: sums).draw(
      in: Frame(left: 72, top: 398, width: 300, height: 300), on: &canvas)
    SpectrumPlot(bands: SpectralBands(lombScargle: segments)).draw(
      in: Frame(left: 460, top: 398, width: 318, height: 300), on: &canvas)
    return canvas.document(title: title, description: description)
  }

  private var sums: NNSums {
    var sums = NNSeries()
    for beat in series { sums.append(beat) }
    return sums.sums
  }

  /// In a sentence what the picture shows.
  private var description: String {
    let (sums, marked) = (sums, beats.count { !$0.verdict.isNormal })
    let rmssd = sums.rmssd.map { ", RMSSD \($0.svg) ms" } ?? ""
    let sdnn = sums.sdnn.map { ", SDNN \($0.svg) ms" } ?? ""
    return "\(beats.count) beats, \(marked) of them not normal\(rmssd)\(sdnn)"
  }

  /// As much as fits above the plots.
  private static func clipped(_ title: String) -> String {
    title.count > 80 ? "…" + title.suffix(79) : title
  }
}
