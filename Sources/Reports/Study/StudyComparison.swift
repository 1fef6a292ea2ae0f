import Glibc
package import HRV
import HeartRate
import Platform

/// The tests of a study: each outcome in two conditions of a segment, or in two segments of a condition.
///
/// Values are paired by participant. Several epochs or sessions of a participant count as their mean.
package struct StudyComparison: Sendable {
  /// The two levels that are compared.
  package struct Contrast: Equatable, Sendable {
    package enum Factor: String, Sendable {
      case condition, segment
    }

    package let factor: Factor
    /// The segment whose conditions are compared, or the condition whose segments are compared.
    package let within: String
    /// The reference.
    package let a: String
    package let b: String

    /// `task - rest (baseline)`.
    package var text: String { "\(b) - \(a)" + (within.isEmpty ? "" : " (\(within))") }
  }

  package struct Row: Sendable {
    package let contrast: Contrast
    package let metric: MetricDefinition
    /// Whether the natural logarithm of the metric is tested.
    package let isLogarithm: Bool
    /// The values of the participants with both; of independent groups, of each group.
    package let values: [(participant: String, a: Double?, b: Double?)]
    package let a: Sample
    package let b: Sample
    package let found: GroupDifference?
    /// Why there is no test.
    package let reason: String?
    /// p by the method of Holm (1979) for all tests of the study.
    package fileprivate(set) var adjustedP: Double?

    /// The participants without a value of both levels, in a paired design.
    package var unpaired: [String] {
      values.filter { ($0.a == nil) != ($0.b == nil) }.map(\.participant)
    }
  }

  package let design: GroupDifference.Design
  package private(set) var rows: [Row] = []

  package init(_ plan: StudyPlan, _ inventory: StudyInventory, _ table: [StudyRow]) {
    design = plan.design
    let means = Means(table, plan)
    let segments = plan.segments.map(\.name)
    let conditions = inventory.conditions
    let between = segments.flatMap { segment in
      conditions.dropFirst().map { condition in
        Contrast(factor: .condition, within: segment, a: conditions[0], b: condition)
      }
    }
    let within = conditions.flatMap { condition in
      segments.dropFirst().map {
        Contrast(factor: .segment, within: condition, a: segments[0], b: $0)
      }
    }
    for contrast in between + within {
      // Segments of one recording belong to one participant in every design.
      let design: GroupDifference.Design = contrast.factor == .segment ? .paired : plan.design
      for metric in plan.outcomes {
        rows.append(Row(contrast, metric, means, inventory.participants, design))
      }
    }
    adjust()
  }

  /// Holm's step-down method: the smallest of n p values times n, the next one times n - 1, and so on, never decreasing.
  private mutating func adjust() {
    let order = rows.indices.filter { rows[$0].found != nil }.sorted {
      (rows[$0].found?.p ?? 1) < (rows[$1].found?.p ?? 1)
    }
    var largest = 0.0
    for (rank, place) in order.enumerated() {
      largest = max(largest, min(1, Double(order.count - rank) * (rows[place].found?.p ?? 1)))
      rows[place].adjustedP = largest
    }
  }
}

extension StudyComparison {
  /// The mean of each metric by participant, condition and segment.
  fileprivate struct Means {
    private var sums: [[String]: (sum: Double, count: Double)] = [:]

    init(_ table: [StudyRow], _ plan: StudyPlan) {
      for row in table {
        for metric in plan.outcomes {
          guard let value = row.value(metric, plan), let scaled = metric.scaledForTests(value) else {
            continue
          }
          let key = [metric.key, row.participant, row.condition, row.segment]
          let sum = sums[key] ?? (0, 0)
          sums[key] = (sum.sum + scaled, sum.count + 1)
        }
      }
    }

    subscript(metric: MetricDefinition, participant: String, condition: String, segment: String) -> Double? {
      sums[[metric.key, participant, condition, segment]].map { $0.sum / $0.count }
    }
  }
}

extension StudyComparison.Row {
  fileprivate init(
    _ contrast: StudyComparison.Contrast, _ metric: MetricDefinition, _ means: StudyComparison.Means,
    _ participants: [String], _ design: GroupDifference.Design
  ) {
    (self.contrast, self.metric, isLogarithm) = (contrast, metric, metric.isTestedAsLogarithm)
    func value(_ participant: String, _ level: String) -> Double? {
      contrast.factor == .condition
        ? means[metric, participant, level, contrast.within]
        : means[metric, participant, contrast.within, level]
    }
    values = participants.map { ($0, value($0, contrast.a), value($0, contrast.b)) }
    let pairs = values.compactMap { value in
      value.a.flatMap { a in value.b.map { (a: a, b: $0) } }
    }
    let (first, second) =
      design == .paired
      ? (pairs.map(\.a), pairs.map(\.b)) : (values.compactMap(\.a), values.compactMap(\.b))
    (a, b) = (Sample(first), Sample(second))
    do throws(GroupDifference.Reason) {
      found =
        try design == .paired ? GroupDifference(pairs: pairs) : GroupDifference(from: first, to: second)
      reason = nil
    } catch {
      found = nil
      reason =
        switch error {
        case .tooFewValues(let found, let needed): "\(found) values, \(needed) needed"
        case .unchanging: "all differences are equal"
        }
    }
  }
}

extension MetricDefinition {
  /// Whether the distribution is skewed, so that usual practice tests the logarithm: powers, ratios, RMSSD and Baevsky's index.
  package var isTestedAsLogarithm: Bool {
    unit == "ms^2" || [.lfHF, .rmssd, .baevskyIndex].contains(self)
  }

  fileprivate func scaledForTests(_ value: Double) -> Double? {
    guard isTestedAsLogarithm else { return value }
    return value > 0 ? log(value) : nil
  }
}

extension StudyComparison {
  private static let columns = [
    "factor", "within", "a", "b", "metric", "scale", "design", "n_a", "n_b", "mean_a", "sd_a", "mean_b",
    "sd_b", "difference", "low", "high", "effect", "effect_size", "effect_low", "effect_high", "t",
    "degrees_of_freedom", "p", "p_holm", "unpaired", "reason",
  ]

  /// One row per contrast and outcome (RFC 4180).
  package var csv: String {
    let lines = rows.map { row -> String in
      let (found, isPaired) = (row.found, design == .paired || row.contrast.factor == .segment)
      let fields: [FieldValue] = [
        .text(row.contrast.factor.rawValue), .text(row.contrast.within), .text(row.contrast.a),
        .text(row.contrast.b), .text(row.metric.key), .text(row.isLogarithm ? "ln" : "linear"),
        .text(isPaired ? "paired" : "independent"), .integer(Int64(row.a.count)),
        .integer(Int64(row.b.count)), .number(row.a.mean), .number(row.a.deviation), .number(row.b.mean),
        .number(row.b.deviation), .number(found?.difference), .number(found?.interval.lowerBound),
        .number(found?.interval.upperBound), .text(isPaired ? "dz" : "g"), .number(found?.effect),
        .number(found?.effectInterval.lowerBound), .number(found?.effectInterval.upperBound),
        .number(found?.t), .number(found?.degreesOfFreedom), .number(found?.p), .number(row.adjustedP),
        .text(isPaired ? row.unpaired.joined(separator: " ") : nil), .text(row.reason),
      ]
      return fields.map(\.csv).joined(separator: ",") + "\r\n"
    }
    return Self.columns.joined(separator: ",") + "\r\n" + lines.joined()
  }
}

extension Sample {
  /// Standard deviation, over n - 1; nil below two values.
  package var deviation: Double? { count > 1 ? variance.squareRoot() : nil }
}
