/// The name of a column, as a heading gives it: `RR (ms)`, `rr_ms`, `"RR-interval [s]"`, `IBI`.
struct ColumnName: Equatable {
  let text: String
  /// Its words in lower case, such as `rr` and `ms`.
  private let words: [Substring]

  init(_ field: ArraySlice<UInt8>) {
    text = String(decoding: field, as: UTF8.self)
    words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  /// How surely the column holds RR intervals: the lower, the surer; nil where its name is not one of theirs.
  var rank: Int? {
    if words.starts(with: ["r", "r"]) { return 0 }
    return Self.names.firstIndex { names in words.contains { names.contains(String($0)) } }
  }

  private static let names: [Set<String>] = [
    ["rr", "rri", "rrs", "rrms", "rrinterval", "rrintervals"], ["ibi", "ibis"], ["nn", "nni"],
  ]

  /// The unit that the name states.
  var unit: RRText.Unit? {
    if !["ms", "msec", "millisecond", "milliseconds", "rrms"].filter({ words.contains($0[...]) }).isEmpty {
      return .milliseconds
    }
    return ["s", "sec", "secs", "second", "seconds"].contains { words.contains($0[...]) } ? .seconds : nil
  }

  /// Whether a user means this column by `name`.
  func matches(_ name: String) -> Bool { text.lowercased() == name.lowercased() }
}
