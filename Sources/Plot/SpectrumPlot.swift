import HRV

/// The Lomb-Scargle spectrum of NN intervals with its frequency bands.
struct SpectrumPlot {
  let bands: SpectralBands
  var title = "Spectrum (Lomb-Scargle)"
  var texts = FigureTexts.english

  private static let highest = 0.5

  private var shownBands: [(name: String, band: Range<Double>, shade: String, power: Metric)] {
    [
      ("VLF", SpectralBands.vlfBand, "#eceff3", bands.vlf), ("LF", SpectralBands.lfBand, "#d5dbe3", bands.lf),
      ("HF", SpectralBands.hfBand, "#eceff3", bands.hf),
    ]
  }

  func draw(in frame: Frame, on canvas: inout SVGCanvas) {
    guard let spectrum = bands.spectrum, let largest = spectrum.density.max(), largest > 0 else {
      let reason = bands.hf.absence.map(texts.absence) ?? texts.noPower
      return canvas.notice(frame, title: title, Self.broken(reason))
    }
    let x = Axis(exactly: 0...Self.highest, step: 0.1, from: frame.left, to: frame.right)
    let thousands = largest >= 10_000
    let scale = thousands ? 1000.0 : 1
    let y = Axis(covering: 0...largest / scale, from: frame.bottom, to: frame.top)
    for band in shownBands { drawBand(band.band, band.shade, x, frame, &canvas) }
    canvas.axes(
      frame, title: title, x: x, y: y, xName: texts.frequency,
      yName: thousands ? texts.densityInThousands : texts.density,
      yLabel: { Self.label($0, step: y.ticks.count > 1 ? y.ticks[1] - y.ticks[0] : 1) })
    drawDensity(spectrum, scale, x, y, &canvas)
    for (row, band) in shownBands.enumerated() {
      label(band.name, band.band, band.power, row, x, frame, &canvas)
    }
  }

  /// Formats a value with the decimals of the tick step.
  private static func label(_ value: Double, step: Double) -> String {
    step >= 0.1 ? value.svg : "\((value * 10_000).rounded() / 10_000)"
  }

  private func drawBand(
    _ band: Range<Double>, _ shade: String, _ x: Axis, _ frame: Frame, _ canvas: inout SVGCanvas
  ) {
    let (left, right) = (x(band.lowerBound), x(band.upperBound))
    canvas.element(
      "rect",
      "x=\"\(left.svg)\" y=\"\(frame.top.svg)\" width=\"\((right - left).svg)\" height=\"\(frame.height.svg)\" "
        + "fill=\"\(shade)\"")
  }

  private func drawDensity(
    _ spectrum: PowerSpectrum, _ scale: Double, _ x: Axis, _ y: Axis, _ canvas: inout SVGCanvas
  ) {
    var path = ""
    for (index, density) in spectrum.density.enumerated() where spectrum.frequencies[index] <= Self.highest {
      path += "\(path.isEmpty ? "M" : "L")\(x(spectrum.frequencies[index]).svg) \(y(density / scale).svg)"
    }
    canvas.element(
      "path",
      "d=\"\(path)\" fill=\"none\" stroke=\"\(Ink.accent)\" stroke-width=\"1.8\" stroke-linejoin=\"round\"")
  }

  /// Draws the name of a band above the plot, and its power in the corner if the band is wide enough.
  private func label(
    _ name: String, _ band: Range<Double>, _ power: Metric, _ row: Int, _ x: Axis, _ frame: Frame,
    _ canvas: inout SVGCanvas
  ) {
    let middle = (x(band.lowerBound) + x(band.upperBound)) / 2
    canvas.text(name, x: middle, y: frame.top + 14, .middle, attributes: "font-weight=\"600\"")
    let words = power.value.map { "\(name) \(Int($0.rounded())) ms²" } ?? "\(name) -"
    canvas.text(words, x: frame.right - 4, y: frame.top + 32 + 16 * Double(row), .end)
  }

  /// Splits a sentence into lines that fit the plot.
  private static func broken(_ sentence: String) -> [String] {
    sentence.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + word.count < 34 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
