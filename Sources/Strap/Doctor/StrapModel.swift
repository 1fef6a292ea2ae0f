/// A strap, band or watch with known properties, from `straps.tsv`. docs/guide/pairing.md lists them.
///
/// The properties are hints for people: what a sensor sends is always determined from its data.
package struct StrapModel: Equatable, Sendable {
  /// The intervals that a sensor sends.
  package enum Intervals: String, Sendable {
    case beatToBeat = "beat-to-beat"
    /// Averages over the Heart Rate service, and PPI by Polar's measurement data service.
    case smoothedWithPulse = "smoothed, PPI"
    case smoothed
    /// None over the Heart Rate service, and PPI by Polar's measurement data service.
    case pulse = "PPI"
    /// A heart rate only.
    case none
  }

  /// The beginning of the advertised name.
  package let prefix: String
  package let name: String
  package let intervals: Intervals
  /// Such as `1/1024 s`. Empty if it is unknown.
  package let resolution: String
  package let note: String
  /// Where the properties are documented or were reported.
  package let source: String

  package static let all: [StrapModel] = String(decoding: PackageResources.straps_tsv, as: UTF8.self)
    .split(separator: "\n").compactMap { StrapModel(row: $0) }

  private init?(row: Substring) {
    let fields = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 6, let intervals = Intervals(rawValue: fields[2]) else { return nil }
    (prefix, name, self.intervals) = (fields[0], fields[1], intervals)
    (resolution, note, source) = (fields[3], fields[4], fields[5])
  }

  /// The model of a strap by its advertised name, without regard to case.
  package static func named(_ name: String?) -> StrapModel? {
    guard let name = name?.lowercased() else { return nil }
    return all.first { name.hasPrefix($0.prefix.lowercased()) }
  }
}
