import HeartRate
import History
import Platform
import Stress

/// Reads the parameters of a query. Unknown and repeated parameters are errors, except for `category` and `token`.
struct QueryParameters {
  private let target: RequestTarget

  private init(target: RequestTarget) { self.target = target }

  /// No parameters.
  static let none = QueryParameters(target: .root)

  /// - Parameter names: the parameters that the resource has.
  init(_ request: PermittedRequest, _ names: [String]) throws(Problem) {
    target = request.target
    for (name, _) in target.parameters where !names.contains(name) && name != "token" {
      throw .badParameter(
        name, expected: names.isEmpty ? "no parameters" : "one of \(names.joined(separator: ", "))")
    }
    for name in names where name != "category" && target.parameters.count(where: { $0.name == name }) > 1 {
      throw .badParameter(name, expected: "one value")
    }
  }

  func text(_ name: String) -> String? { target.value(name) }

  /// All values of a parameter that may be repeated.
  func texts(_ name: String) -> [String] { target.parameters.filter { $0.name == name }.map(\.value) }

  /// A whole number in a range.
  func integer(_ name: String, _ range: ClosedRange<Int>, default fallback: Int) throws(Problem) -> Int {
    guard let text = target.value(name) else { return fallback }
    guard let value = Int(text), range.contains(value) else {
      throw .badParameter(name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// One of several words. The parameter is optional.
  func word<Word: RawRepresentable & CaseIterable>(_ name: String) throws(Problem) -> Word?
  where Word.RawValue == String {
    guard let text = target.value(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw .badParameter(name, expected: "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// The local day of a date `2026-11-21`, in days since 1970-01-01. The parameter is optional.
  func day(_ name: String) throws(Problem) -> Int64? {
    guard let text = target.value(name) else { return nil }
    guard text.utf8.count == 10, let day = WallTime(rfc3339: text + "T00:00:00Z")?.localDay(utcOffset: 0)
    else {
      throw .badParameter(name, expected: "a date such as 2026-11-21")
    }
    return Int64(day)
  }

  /// A moment (RFC 3339), or the beginning of a local day. The parameter is optional.
  private func time(_ name: String) throws(Problem) -> WallTime? {
    guard let text = target.value(name) else { return nil }
    if let moment = WallTime(rfc3339: text) { return moment }
    guard let day = try? day(name) else {
      throw .badParameter(name, expected: "a date such as 2026-11-21, or a time such as 2026-11-21T07:30:00Z")
    }
    return LocalCalendar.system.start(ofDay: day)
  }

  static let filterNames = ["from", "to", "category", "strap", "min_confidence"]

  /// The filters of `stressmon history`. `from` is included, `to` is not.
  func filter() throws(Problem) -> HistoryFilter {
    let (from, to) = (try time("from"), try time("to"))
    let always = HistoryFilter.always
    guard from ?? always.lowerBound < to ?? always.upperBound else {
      throw .badParameter("from", expected: "a time before 'to'")
    }
    return HistoryFilter(
      times: (from ?? always.lowerBound)..<(to ?? always.upperBound), categories: try categories(),
      strap: target.value("strap"), leastConfidence: try fraction("min_confidence"))
  }

  private func categories() throws(Problem) -> Set<StressCategory> {
    var found: Set<StressCategory> = []
    for (name, value) in target.parameters where name == "category" {
      guard let category = StressCategory(rawValue: value) else {
        throw .badParameter(name, expected: "relaxed, mild, moderate or high")
      }
      found.insert(category)
    }
    return found
  }

  private func fraction(_ name: String) throws(Problem) -> Double? {
    guard let text = target.value(name) else { return nil }
    guard let value = Double(text), (0...1).contains(value) else {
      throw .badParameter(name, expected: "a number from 0 to 1")
    }
    return value
  }
}
