package import HRV
import JSONLines
package import Localization

/// The comparison of two groups of sessions: each metric with the difference of the means, the effect size and the test.
package struct GroupReport {
  /// A metric of both groups.
  package struct Row {
    package let metric: MetricDefinition
    package let a: Sample
    package let b: Sample
    package let result: Result<GroupDifference, GroupDifference.Reason>
  }

  package let design: GroupDifference.Design
  package let selection: MetricsSelection
  /// Names of the sessions of each group that were compared.
  package let names: (a: [String], b: [String])
  /// With the design `paired`, the pairs that were compared, and the sessions without a partner.
  package let pairs: SessionPairs?
  /// ln RMSSD first, then the others in the order of the catalogue.
  package let rows: [Row]

  /// - Parameters:
  ///   - a: the sessions of the reference.
  ///   - pairs: the pairs of a paired design, of which element i consists of element i of `a` and of `b`.
  package init(
    _ a: [SessionAnalysis], _ b: [SessionAnalysis], pairs: SessionPairs? = nil, selection: MetricsSelection
  ) {
    let design: GroupDifference.Design = pairs == nil ? .independent : .paired
    (self.design, self.selection, self.pairs) = (design, selection, pairs)
    names = (a.map(\.file), b.map(\.file))
    let metrics = MetricCatalogue.series.filter { metric in
      !metric.isQualifier && (a + b).contains { $0.series[0].metrics[metric] != nil }
    }
    rows = (metrics.filter { $0 == .lnRMSSD } + metrics.filter { $0 != .lnRMSSD }).map {
      Row($0, a.map(\.series[0].metrics), b.map(\.series[0].metrics), design)
    }
  }
}

extension GroupReport.Row {
  /// Uses the sessions that have the metric; of pairs, those of which both have it.
  fileprivate init(
    _ metric: MetricDefinition, _ a: [SeriesMetrics], _ b: [SeriesMetrics],
    _ design: GroupDifference.Design
  ) {
    self.metric = metric
    if design == .paired {
      let pairs = zip(a, b).compactMap { a, b in
        a[metric].flatMap { first in b[metric].map { (a: first, b: $0) } }
      }
      (self.a, self.b) = (Sample(pairs.map(\.a)), Sample(pairs.map(\.b)))
      result = Result { () throws(GroupDifference.Reason) in try GroupDifference(pairs: pairs) }
    } else {
      let (first, second) = (a.compactMap { $0[metric] }, b.compactMap { $0[metric] })
      (self.a, self.b) = (Sample(first), Sample(second))
      result = Result { () throws(GroupDifference.Reason) in try GroupDifference(from: first, to: second) }
    }
  }

  package var found: GroupDifference? { try? result.get() }

  package var reason: Phrase? {
    guard case .failure(let reason) = result else { return nil }
    return switch reason {
    case .tooFewValues(let found, let needed): Phrase("\(found) values, \(needed) needed")
    case .unchanging: Phrase("all values are equal")
    }
  }

  /// The statistics with their names in JSON and CSV.
  fileprivate var statistics: [(key: String, value: Double?)] {
    let found = found
    return [
      ("mean_a", a.mean.isNaN ? nil : a.mean), ("sd_a", a.count > 1 ? a.variance.squareRoot() : nil),
      ("mean_b", b.mean.isNaN ? nil : b.mean), ("sd_b", b.count > 1 ? b.variance.squareRoot() : nil),
      ("difference", found?.difference), ("low", found?.interval.lowerBound),
      ("high", found?.interval.upperBound), ("effect_size", found?.effect),
      ("effect_low", found?.effectInterval.lowerBound), ("effect_high", found?.effectInterval.upperBound),
      ("t", found?.t), ("degrees_of_freedom", found?.degreesOfFreedom), ("p", found?.p),
    ]
  }
}

extension GroupReport {
  /// `g` (Hedges) or `dz`.
  package var effectName: String { design == .paired ? "dz" : "g" }

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("design", design.rawValue)
      line.put("effect", effectName)
      line.put("metrics", selection.rawValue)
      line.put("a", texts: names.a)
      line.put("b", texts: names.b)
      if let pairs {
        line.put("pairs", objects: pairs.pairs) { line, pair in
          line.put("participant", pair.key)
          line.put("a", pair.a)
          line.put("b", pair.b)
        }
        line.put("unpaired_a", texts: pairs.unpaired.a)
        line.put("unpaired_b", texts: pairs.unpaired.b)
      }
      line.put("comparison") { all in
        for row in rows {
          all.put(row.metric.key) { line in
            line.put("count_a", Int(row.a.count))
            line.put("count_b", Int(row.b.count))
            for (key, value) in row.statistics { line.put(key, value) }
            if let reason = row.reason { line.put("reason", Language.english.text(reason)) }
          }
        }
      }
    }
    return line.bytes
  }

  /// One row per metric (RFC 4180).
  package var csv: String {
    let columns = rows.first?.statistics.map(\.key) ?? []
    let heading = ["metric", "design", "effect", "count_a", "count_b"] + columns
    let lines = rows.map { row in
      [
        row.metric.key, design.rawValue, effectName, "\(Int(row.a.count))", "\(Int(row.b.count))",
      ] + row.statistics.map { FieldValue.number($0.value).csv }
    }
    return ([heading] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
  }
}
