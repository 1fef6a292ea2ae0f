import Localization
import Reports

/// What each metric of a session states, in one sentence.
enum MetricSentences {
  /// Empty for a metric that the table does not show.
  static func text(_ metric: MetricDefinition, _ context: PageContext) -> String {
    texts[metric].map(context.localized) ?? ""
  }

  static let texts: [MetricDefinition: Phrase] = [
    .meanNN: Phrase("The mean time between two normal beats."),
    .meanHeartRate: Phrase("The mean heart rate, computed from the mean interval."),
    .sdnn: Phrase("How much all intervals vary, slow changes included."),
    .rmssd: Phrase("How much an interval differs from the one before it; it falls under stress."),
    .lnRMSSD: Phrase("RMSSD on a logarithmic scale, on which days are easier to compare."),
    .sdsd: Phrase("How much the differences between successive intervals vary."),
    .pNN50: Phrase("The percentage of successive intervals that differ by more than 50 ms."),
    .pNN20: Phrase("The percentage of successive intervals that differ by more than 20 ms."),
    .sd1: Phrase("The width of the Poincaré plot: variation from beat to beat."),
    .sd2: Phrase("The length of the Poincaré plot: slower variation."),
    .minHeartRate: Phrase("The heart rate of the longest interval."),
    .maxHeartRate: Phrase("The heart rate of the shortest interval."),
    .vlf: Phrase("The power of variations that take 25 s to 5 min."),
    .lf: Phrase("The power of variations that take 7 to 25 s, mostly of blood pressure."),
    .hf: Phrase("The power of variations that take 2.5 to 7 s, mostly of breathing."),
    .totalPower: Phrase("The power of all three bands together."),
    .lfHF: Phrase("LF divided by HF; it also depends on the breathing rate."),
    .lfNormalised: Phrase("LF as a percentage of LF and HF together."),
    .hfNormalised: Phrase("HF as a percentage of LF and HF together."),
    .respiration: Phrase("The breathing rate, estimated from the heart beats."),
    .respirationReliability: Phrase("How clear the breathing rate is, from 0 to 1."),
    .dfaAlpha1: Phrase("How similar variations of 4 to 16 beats are; about 1 at rest, lower with effort."),
    .dfaAlpha2: Phrase("How similar variations of 17 to 64 beats are."),
    .sampleEntropy: Phrase("How irregular the intervals are; at 0 they repeat."),
    .approximateEntropy: Phrase("How irregular the intervals are, with an older definition."),
    .baevskyIndex: Phrase("How narrow the distribution of the intervals is; it rises under stress."),
    .parasympatheticIndex: Phrase("How active recovery is beside a normal population; 0 is the mean."),
    .sympatheticIndex: Phrase("How active stress is beside a normal population; 0 is the mean."),
    .triangularIndex: Phrase("How broad the distribution of the intervals is."),
    .tinn: Phrase("The width of the distribution of the intervals as a triangle."),
    .sdann: Phrase("How much the means of periods of 5 min vary."),
    .sdnnIndex: Phrase("The mean variation within periods of 5 min."),
  ]
}
