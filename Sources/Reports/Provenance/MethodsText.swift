package import HRV

/// The paragraph about methods for a paper, with its references, derived from the ``Provenance`` of the numbers.
package struct MethodsText: Equatable, Sendable {
  /// A publication of docs/reference/references.bib.
  package struct Reference: Equatable, Hashable, Sendable {
    /// The key in references.bib.
    package let key: String
    package let text: String
  }

  package let paragraph: String
  /// In the order of their first citation.
  package let references: [Reference]

  /// - Parameters:
  ///   - outcomes: the metrics that are tested; all metrics of the catalogue with a source if empty.
  ///   - design: the test of a study, if there is one.
  package init(
    _ provenance: Provenance, outcomes: [MetricDefinition] = [], design: GroupDifference.Design? = nil
  ) {
    let method = provenance.methods
    var sentences = [
      "RR intervals were analyzed with stressmon \(provenance.program) (engine \(provenance.engine))."
    ]
    var used: [Reference] = []
    if provenance.top == .raw {
      sentences.append("All intervals were used; no artefacts were detected.")
    } else {
      sentences.append(Self.classification(method.classification, &used))
      sentences.append(Self.series(provenance.top))
    }
    sentences.append(Self.spectrum(method.spectrum, &used))
    sentences.append(
      "Power was integrated from 0.0033 to 0.04 Hz (VLF), 0.04 to 0.15 Hz (LF) and 0.15 to 0.4 Hz (HF) (Task Force 1996)."
    )
    used.append(.taskForce)
    let metrics = outcomes.isEmpty ? MetricCatalogue.series : outcomes
    let sources = metrics.compactMap(\.source).compactMap(Reference.init(citation:))
    if outcomes.isEmpty {
      sentences.append(
        "DFA used boxes of 4 to 16 and 17 to 64 beats (Peng et al. 1995); sample entropy used m = 2 and r = 0.2 SD (Richman & Moorman 2000)."
      )
    } else {
      sentences.append("The outcomes were \(outcomes.map(\.name).joined(separator: ", ")).")
    }
    used += sources
    if let design { sentences += Self.tests(design, &used) }
    paragraph = sentences.joined(separator: " ")
    references = used.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func classification(
    _ classification: AnalysisMethods.Classification, _ used: inout [Reference]
  ) -> String {
    switch classification {
    case .automatic:
      used.append(.lipponenTarvainen)
      return
        "Each interval was classified as normal, ectopic, missed, extra, long, short or gap by thresholds that adapt to the variability, a modification of the algorithm of Lipponen & Tarvainen (2019) that stressmon documents."
    case .lipponenTarvainen:
      used.append(.lipponenTarvainen)
      return
        "Artefacts were detected by the algorithm of Lipponen & Tarvainen (2019) as published, in a single pass."
    case .threshold(let level):
      return
        "Artefacts were intervals that differ from the median of the 11 surrounding intervals by more than the threshold of the level \(level.rawValue)."
    }
  }

  private static func series(_ top: SessionAnalysis.Top) -> String {
    top == .corrected
      ? "Artefacts were replaced by linear interpolation of up to five successive intervals before the metrics were computed."
      : "Metrics were computed from the normal intervals; no difference spans an artefact or a gap, and nothing was interpolated."
  }

  private static func spectrum(_ settings: SpectrumSettings, _ used: inout [Reference]) -> String {
    var text: String
    switch settings.method {
    case .lomb:
      used.append(.lomb)
      used.append(.scargle)
      text =
        "The power spectral density was estimated by the Lomb-Scargle periodogram (Lomb 1976; Scargle 1982) in Hann windows of 300 s, without resampling"
    case .welch:
      used.append(.welch)
      text =
        "The power spectral density was estimated by Welch's method (Welch 1967) after cubic interpolation at 4 Hz, in Hann windows of 300 s that overlap by half"
    case .autoregressive:
      used.append(.burg)
      text =
        "The power spectral density was that of an autoregressive model of order 16 (Burg 1975) after cubic interpolation at 4 Hz, integrated over each band"
    }
    if settings.detrending == .smoothnessPriors {
      used.append(.tarvainen)
      text +=
        "; the trend was removed by smoothness priors (Tarvainen et al. 2002) with lambda = \(Int(settings.lambda)) before the spectrum"
    }
    return text + "."
  }

  private static func tests(_ design: GroupDifference.Design, _ used: inout [Reference]) -> [String] {
    used.append(.holm)
    let test: String
    switch design {
    case .paired:
      used.append(.cohen)
      test =
        "Conditions were compared within participants by Student's t test of the differences, with the effect size dz (Cohen 1988)."
    case .independent:
      used += [.welchTest, .hedges]
      test =
        "Groups of participants were compared by Welch's t test (Welch 1947), with the effect size Hedges' g (Hedges 1981)."
    }
    return [
      test, "Power in ms^2, LF/HF, RMSSD and Baevsky's index were tested as natural logarithms.",
      "p values were adjusted for the number of tests by the method of Holm (1979).",
    ]
  }
}

extension MethodsText.Reference {
  static let taskForce = Self(
    key: "TaskForce1996",
    text:
      "Task Force of the European Society of Cardiology and the North American Society of Pacing and Electrophysiology (1996). Heart rate variability: standards of measurement, physiological interpretation, and clinical use. Circulation 93(5), 1043-1065."
  )
  static let lipponenTarvainen = Self(
    key: "LipponenTarvainen2019",
    text:
      "Lipponen JA, Tarvainen MP (2019). A robust algorithm for heart rate variability time series artefact correction using novel beat classification. Journal of Medical Engineering & Technology 43(3), 173-181."
  )
  static let tarvainen = Self(
    key: "Tarvainen2002",
    text:
      "Tarvainen MP, Ranta-aho PO, Karjalainen PA (2002). An advanced detrending method with application to HRV analysis. IEEE Transactions on Biomedical Engineering 49(2), 172-175."
  )
  static let lomb = Self(
    key: "Lomb1976",
    text:
      "Lomb NR (1976). Least-squares frequency analysis of unequally spaced data. Astrophysics and Space Science 39, 447-462."
  )
  static let scargle = Self(
    key: "Scargle1982",
    text:
      "Scargle JD (1982). Studies in astronomical time series analysis. II. Statistical aspects of spectral analysis of unevenly spaced data. The Astrophysical Journal 263, 835-853."
  )
  static let welch = Self(
    key: "Welch1967",
    text:
      "Welch PD (1967). The use of fast Fourier transform for the estimation of power spectra: a method based on time averaging over short, modified periodograms. IEEE Transactions on Audio and Electroacoustics 15(2), 70-73."
  )
  static let burg = Self(
    key: "Burg1975",
    text: "Burg JP (1975). Maximum entropy spectral analysis. PhD thesis, Stanford University.")
  static let holm = Self(
    key: "Holm1979",
    text:
      "Holm S (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2), 65-70."
  )
  static let cohen = Self(
    key: "Cohen1988",
    text: "Cohen J (1988). Statistical power analysis for the behavioral sciences. 2nd edition, Erlbaum.")
  static let welchTest = Self(
    key: "Welch1947",
    text:
      "Welch BL (1947). The generalization of 'Student's' problem when several different population variances are involved. Biometrika 34(1-2), 28-35."
  )
  static let hedges = Self(
    key: "Hedges1981",
    text:
      "Hedges LV (1981). Distribution theory for Glass's estimator of effect size and related estimators. Journal of Educational Statistics 6(2), 107-128."
  )

  private static let sources: [String: Self] = [
    "Task Force 1996": .taskForce,
    "Brennan et al. 2001": Self(
      key: "Brennan2001",
      text:
        "Brennan M, Palaniswami M, Kamen P (2001). Do existing measures of Poincare plot geometry reflect nonlinear features of heart rate variability? IEEE Transactions on Biomedical Engineering 48(11), 1342-1347."
    ),
    "Hirsch & Bishop 1981": Self(
      key: "HirschBishop1981",
      text:
        "Hirsch JA, Bishop B (1981). Respiratory sinus arrhythmia in humans: how breathing pattern modulates heart rate. American Journal of Physiology 241(4), H620-H629."
    ),
    "Peng et al. 1995": Self(
      key: "Peng1995",
      text:
        "Peng CK, Havlin S, Stanley HE, Goldberger AL (1995). Quantification of scaling exponents and crossover phenomena in nonstationary heartbeat time series. Chaos 5(1), 82-87."
    ),
    "Richman & Moorman 2000": Self(
      key: "RichmanMoorman2000",
      text:
        "Richman JS, Moorman JR (2000). Physiological time-series analysis using approximate entropy and sample entropy. American Journal of Physiology - Heart and Circulatory Physiology 278(6), H2039-H2049."
    ),
    "Pincus 1991": Self(
      key: "Pincus1991",
      text:
        "Pincus SM (1991). Approximate entropy as a measure of system complexity. Proceedings of the National Academy of Sciences 88(6), 2297-2301."
    ),
    "Baevsky & Berseneva 2008": Self(
      key: "BaevskyBerseneva2008",
      text:
        "Baevsky RM, Berseneva AP (2008). Use of Kardivar system for determination of the stress level and estimation of the body adaptability. Moscow."
    ),
    "Nunan et al. 2010": Self(
      key: "Nunan2010",
      text:
        "Nunan D, Sandercock GRH, Brodie DA (2010). A quantitative systematic review of normal values for short-term heart rate variability in healthy adults. Pacing and Clinical Electrophysiology 33(11), 1407-1417."
    ),
  ]

  /// The publication that a metric of the catalogue cites.
  init?(citation: String) {
    guard let found = Self.sources[citation] else { return nil }
    self = found
  }

  /// All publications, for the test of references.bib.
  static let all =
    [
      taskForce, lipponenTarvainen, tarvainen, lomb, scargle, welch, burg, holm, cohen, welchTest, hedges,
    ] + sources.values
}
