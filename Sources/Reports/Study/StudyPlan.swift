package import HRV
import HeartRate
import Platform

/// The settings of a study, from its `study.toml`.
package struct StudyPlan: Sendable {
  /// The columns of a table with the intervals of several recordings.
  package struct TableColumns: Equatable, Sendable {
    package var participant: String?
    package var condition: String?
    /// The column of times. By default, it is found.
    package var time: String?
    /// The column of intervals. By default, it is found.
    package var intervals: String?

    package init(
      participant: String? = nil, condition: String? = nil, time: String? = nil, intervals: String? = nil
    ) {
      (self.participant, self.condition) = (participant, condition)
      (self.time, self.intervals) = (time, intervals)
    }
  }

  package var title: String
  /// The paths of recordings, relative to the folder of the study.
  package var recordings: RecordingPattern
  package var table = TableColumns()
  /// The participants. Empty: those that are found.
  package var participants: [String] = []
  /// The conditions in the order of tables; the first is the reference. Empty: those that are found.
  package var conditions: [String] = []
  package var design = GroupDifference.Design.paired
  package var segments = [Segment("whole", .whole)]
  /// Segments below this length have no values.
  package var shortest = Duration.seconds(60)
  /// Segments with more intervals that are not normal have no values, in percent.
  package var mostArtefacts = 100.0
  /// The metrics of the table.
  package var metrics = MetricCatalogue.series
  /// The metrics that are tested.
  package var outcomes = [MetricDefinition.lnRMSSD]
  package var top = SessionAnalysis.Top.normal
  package var methods = AnalysisMethods(onlyTopSeries: true)

  package init(title: String, recordings: RecordingPattern) {
    (self.title, self.recordings) = (title, recordings)
  }

  package var provenance: Provenance { Provenance(methods, top: top) }

  package var methodsText: MethodsText {
    MethodsText(provenance, outcomes: outcomes, design: hasTests ? design : nil)
  }

  private var hasTests: Bool { conditions.count != 1 || segments.count > 1 }

  /// SHA-256 of everything that the values of a recording depend on, except the recording. Results with the same digest can be
  /// reused.
  package var digest: String {
    let provenance = provenance
    let parts = [
      provenance.program, "\(provenance.engine)", provenance.parameters, "\(shortest.ticks)",
      "\(mostArtefacts)",
    ]
    let columns = [table.participant, table.condition, table.time, table.intervals].map { $0 ?? "" }
    return FileDigest.hex(
      of: (parts + columns + segments.map(\.text) + metrics.map(\.key)).joined(separator: "\n"))
  }

  /// The groups of metrics that are computed.
  var selection: MetricsSelection {
    let wanted = Set(metrics)
    let groups: [(MetricsSelection, [MetricDefinition])] = [
      (.time, MetricCatalogue.timeDomain + MetricCatalogue.extremes),
      (.frequency, MetricCatalogue.frequencyDomain), (.nonlinear, MetricCatalogue.nonlinear),
      (.longTerm, MetricCatalogue.longTerm),
    ]
    return groups.first { wanted.isSubset(of: $0.1) }?.0 ?? .all
  }
}

/// A pattern of the paths of recordings: `{participant}/{condition}.txt`, `data/*_{participant}_{condition}.csv`.
///
/// `{participant}`, `{condition}` and `{session}` match one or more characters of a name, and `*` any number of them. None of
/// them matches a slash.
package struct RecordingPattern: Equatable, Sendable {
  package enum Field: String, CaseIterable, Sendable {
    case participant, condition, session
  }

  private enum Token: Equatable, Sendable {
    case text(Character)
    case any
    case field(Field)
  }

  package let text: String
  private let parts: [[Token]]

  /// Fails for unbalanced braces, unknown or repeated fields, and absolute paths.
  package init?(_ text: String) {
    guard !text.isEmpty, !text.hasPrefix("/") else { return nil }
    self.text = text
    var seen: Set<Field> = []
    var parts: [[Token]] = []
    for part in text.split(separator: "/") where part != "." {
      guard part != "..", let tokens = Self.tokens(part, &seen) else { return nil }
      parts.append(tokens)
    }
    self.parts = parts
  }

  private static func tokens(_ part: Substring, _ seen: inout Set<Field>) -> [Token]? {
    var (tokens, rest) = ([Token](), part)
    while let character = rest.popFirst() {
      switch character {
      case "*": tokens.append(.any)
      case "{":
        guard let end = rest.firstIndex(of: "}"), let field = Field(rawValue: String(rest[..<end])),
          seen.insert(field).inserted
        else { return nil }
        tokens.append(.field(field))
        rest = rest[rest.index(after: end)...]
      case "}": return nil
      default: tokens.append(.text(character))
      }
    }
    return tokens
  }

  package func contains(_ field: Field) -> Bool { parts.joined().contains(.field(field)) }

  /// Number of folders and the file.
  var depth: Int { parts.count }

  /// The values of the fields, if the path matches. Of several ways to divide a name, the first one with a known condition is
  /// used, and otherwise the one with the longest first field.
  package func match(_ path: String, conditions: [String]) -> [Field: String]? {
    let names = path.split(separator: "/")
    guard names.count == parts.count else { return nil }
    var ways: [[Field: String]] = [[:]]
    for (name, tokens) in zip(names, parts) {
      let found = Self.ways(Array(name)[...], tokens[...])
      ways = ways.flatMap { way in found.map { way.merging($0) { first, _ in first } } }
    }
    return ways.first { $0[.condition].map(conditions.contains) ?? true } ?? ways.first
  }

  /// Whether a folder at this depth can contain a match.
  func matchesFolder(_ name: String, depth: Int) -> Bool {
    depth < parts.count - 1 && !Self.ways(Array(name)[...], parts[depth][...]).isEmpty
  }

  private static func ways(_ name: ArraySlice<Character>, _ tokens: ArraySlice<Token>) -> [[Field: String]] {
    guard let token = tokens.first else { return name.isEmpty ? [[:]] : [] }
    let rest = tokens.dropFirst()
    switch token {
    case .text(let character): return name.first == character ? ways(name.dropFirst(), rest) : []
    case .any:
      return (0...name.count).reversed().flatMap { ways(name.dropFirst($0), rest) }
    case .field(let field):
      guard !name.isEmpty else { return [] }
      return (1...name.count).reversed().flatMap { count in
        ways(name.dropFirst(count), rest).map { way in
          way.merging([field: String(name.prefix(count))]) { first, _ in first }
        }
      }
    }
  }
}
