public import ArgumentParser
public import HRV
import Localization
import NetworkCommands
import Reports
import Terminal

/// The metrics of an analysis, and the methods of classification and spectrum.
struct AnalysisOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Treat every beat as normal (skip artefact detection)."))
  var raw = false

  @Flag(
    name: .long,
    help: .localized("Report the series with corrected artefacts first, instead of the normal beats."))
  var corrected = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        How artefacts are detected: by thresholds that adapt to the variability (default: automatic), or by a fixed \
        distance from the local median, 0.45 s (very-low), 0.35, 0.25, 0.15 or 0.05 s (very-strong) at 60 bpm; none is \
        --raw.
        """),
      valueName: "level"))
  var correction: CorrectionArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The classification of beats: that of stressmon (default), or the algorithm of Lipponen and Tarvainen (2019) as \
        published, without additions.
        """),
      valueName: "name"))
  var classifier: ClassifierArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The metrics to compute (default: all below 20,000 beats and with --csv, else time)."),
      valueName: "metrics"))
  var metrics: MetricsSelection?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The spectrum: Lomb-Scargle (default: lomb), Welch, or an autoregressive model of order 16 (ar).
        """),
      valueName: "method"))
  var psd: SpectrumSettings.Method?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The trend that is removed before the spectrum: that of each window (default: window), or also that of \
        smoothness priors with lambda 500 (high-pass, 0.035 Hz).
        """),
      valueName: "method"))
  var detrend: SpectrumSettings.Detrending?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Use the series and the spectrum of another program or standard: kubios, neurokit2 or task-force. What still differs \
        is printed to standard error.
        """),
      valueName: "name"))
  var like: MethodsPreset?

  func validate() throws {
    if like != nil {
      for (option, isGiven) in [
        ("--raw", raw), ("--corrected", corrected), ("--correction", correction != nil),
        ("--classifier", classifier != nil), ("--psd", psd != nil), ("--detrend", detrend != nil),
      ] where isGiven {
        throw ValidationError.exclusive("--like", option)
      }
    }
    if raw, corrected {
      throw ValidationError.exclusive("--raw", "--corrected")
    }
    if classifier == .lipponenTarvainen {
      if raw { throw ValidationError.exclusive("--raw", "--classifier") }
      if let correction, correction != .automatic {
        throw ValidationError.exclusive("--classifier", "--correction")
      }
    }
    if let correction {
      if raw, correction != .none { throw ValidationError.exclusive("--raw", "--correction") }
      if corrected, correction == .none {
        throw ValidationError.exclusive("--corrected", "--correction none")
      }
    }
    if psd != nil || detrend != nil, let metrics, !metrics.includesFrequency {
      let option = psd != nil ? "--psd" : "--detrend"
      throw ValidationError.requires(
        option, "--metrics frequency", or: "--metrics all", example: "--metrics frequency --psd welch")
    }
  }

  /// Whether verdicts are computed.
  var classifies: Bool { top != .raw }

  var top: SessionAnalysis.Top {
    if let like { return like.top }
    return raw || correction == CorrectionArgument.none ? .raw : corrected ? .corrected : .normal
  }

  func methods(onlyTopSeries: Bool) -> AnalysisMethods {
    AnalysisMethods(
      spectrum: like?.spectrum ?? SpectrumSettings(method: psd ?? .lomb, detrending: detrend ?? .window),
      classification: classification, onlyTopSeries: onlyTopSeries)
  }

  private var classification: AnalysisMethods.Classification {
    classifier == .lipponenTarvainen
      ? .lipponenTarvainen : correction?.level.map { .threshold($0) } ?? .automatic
  }
}

/// The value of `--like`: the methods of another program as far as this program has them.
enum MethodsPreset: String, CaseIterable, ExpressibleByArgument {
  case kubios, neurokit2
  case taskForce = "task-force"

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }

  var top: SessionAnalysis.Top {
    switch self {
    case .kubios: .corrected
    case .neurokit2: .raw
    case .taskForce: .normal
    }
  }

  var spectrum: SpectrumSettings {
    switch self {
    case .kubios: SpectrumSettings(method: .welch, detrending: .smoothnessPriors)
    case .neurokit2, .taskForce: SpectrumSettings(method: .welch)
    }
  }

  /// The difference to the defaults, and what still differs from the program.
  private var differences: Phrase {
    switch self {
    case .kubios:
      Phrase(
        """
        as --corrected --psd welch --detrend smoothness-priors. Kubios also detrends before SDNN, RMSSD, SD1, SD2, DFA, the \
        entropies and SI, takes HR extremes from means of 5 beats, and uses DFA boxes of 4-12 and 13-64
        """)
    case .neurokit2:
      Phrase(
        """
        as --raw --psd welch. NeuroKit2 divides NN50 by the number of intervals, computes SD2 and TINN differently, and uses \
        shorter Welch windows and DFA boxes of 4-11
        """)
    case .taskForce:
      Phrase(
        """
        as --psd welch: normal-to-normal intervals, bands and shortest lengths of the Task Force (1996). pNN50 is divided by the \
        number of differences instead of the number of intervals
        """)
    }
  }

  func report() { printDiagnostic("stressmon: --like \(rawValue): \(localized(differences))") }
}

/// The value of `--classifier`.
enum ClassifierArgument: String, CaseIterable, ExpressibleByArgument {
  case stressmon
  case lipponenTarvainen = "lipponen-tarvainen"

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }
}

/// The value of `--correction`.
enum CorrectionArgument: String, CaseIterable, ExpressibleByArgument {
  case automatic, none
  case veryLow = "very-low"
  case low, medium, strong
  case veryStrong = "very-strong"

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }

  var level: CorrectionLevel? { CorrectionLevel(rawValue: rawValue) }
}

extension MetricsSelection: ExpressibleByArgument {
  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }
}

extension SpectrumSettings.Method: ExpressibleByArgument {
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  public static var allValueDescriptions: [String: String] { [:] }
}

extension SpectrumSettings.Detrending: ExpressibleByArgument {
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  public static var allValueDescriptions: [String: String] { [:] }
}
