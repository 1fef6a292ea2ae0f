import HRV
package import JSONLines
import Platform
import Stress

/// What the numbers of an output were computed with: program, engine, methods with their parameters, and the input.
///
/// JSON has it as the object `provenance`, CSV as columns, and figures have it in a file next to them. Equal provenance gives
/// equal numbers.
package struct Provenance: Equatable, Sendable {
  package let program: String
  /// Version of the computations, ``StressEngine/version``.
  package let engine: Int
  package let top: SessionAnalysis.Top
  package let methods: AnalysisMethods
  /// SHA-256 of the file. Sessions of the history, standard input and datasets of several files have none.
  package let inputDigest: String?

  package init(
    _ methods: AnalysisMethods, top: SessionAnalysis.Top, inputDigest: String? = nil,
    program: String = programVersion, engine: Int = StressEngine.version
  ) {
    (self.methods, self.top, self.inputDigest) = (methods, top, inputDigest)
    (self.program, self.engine) = (program, engine)
  }

  /// The keys of ``columns`` in CSV.
  package static let columnNames = ["program", "engine", "parameters", "input_sha256"]

  package var columns: [FieldValue] {
    [.text(program), .integer(Int64(engine)), .text(parameters), .text(inputDigest)]
  }

  /// The parameters of all estimators in one line.
  package var parameters: String {
    values.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// Adds the object `provenance`.
  package func put(into line: inout JSONLine) {
    line.put("provenance") { line in
      line.put("program", "stressmon \(program)")
      line.put("engine", engine)
      line.put("parameters") { line in for (key, value) in values { line.put(key, value) } }
      line.put("input_sha256", inputDigest)
    }
  }

  /// The document next to a figure.
  package func sidecar(file: String) -> [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("file", file)
      put(into: &line)
    }
    return line.bytes
  }

  /// The classification, the series and the estimators with their parameters.
  package var values: [(key: String, value: String)] {
    let spectrum = methods.spectrum
    return [
      ("series", top.rawValue), ("classifier", top == .raw ? "none" : methods.classifierName),
      ("correction", top == .raw ? "none" : methods.correctionName), ("psd", spectrum.method.rawValue),
    ] + estimator + [("detrend", spectrum.detrending.rawValue)]
      + (spectrum.detrending == .smoothnessPriors ? [("lambda", "\(spectrum.lambda)")] : [])
      + [
        ("vlf_hz", Self.band(SpectralBands.vlfBand)), ("lf_hz", Self.band(SpectralBands.lfBand)),
        ("hf_hz", Self.band(SpectralBands.hfBand)), ("dfa_alpha1_beats", "4-16"),
        ("dfa_alpha2_beats", "17-64"), ("entropy_m", "2"), ("entropy_r_sd", "\(SampleEntropy().tolerance)"),
        ("entropy_beats_at_most", "\(SampleEntropy().limit)"),
      ]
  }

  private var estimator: [(key: String, value: String)] {
    switch methods.spectrum.method {
    case .lomb:
      let settings = LombScargle()
      return [("window_s", "\(settings.windowLength)"), ("taper", settings.taper.rawValue)]
    case .welch:
      let settings = Welch()
      return [
        ("window_s", "\(Double(settings.windowLength) / settings.rate)"), ("rate_hz", "\(settings.rate)"),
        ("taper", settings.taper.rawValue), ("overlap", "0.5"), ("interpolation", "cubic"),
      ]
    case .autoregressive:
      let settings = Autoregressive()
      return [("order", "\(settings.order)"), ("rate_hz", "\(settings.rate)"), ("interpolation", "cubic")]
    }
  }

  private static func band(_ band: Range<Double>) -> String { "\(band.lowerBound)-\(band.upperBound)" }
}

extension SessionAnalysis {
  package var provenance: Provenance { Provenance(methods, top: top, inputDigest: inputDigest) }
}
