import HeartRate
import History
import Localization
import Platform
import Stress

/// The filters of ``MeasurementsPage``. A field that is not filled in is sent as an empty text and does not restrict anything.
struct HistoryQuery: Sendable {
  static let path = "/history/measurements"
  static let names = ["from", "to", "category", "strap", "confidence", "session", "before"]

  /// The values as they were entered, by field.
  private let fields: [String: String]
  private(set) var categories: Set<StressCategory> = []
  private(set) var filter = HistoryFilter()
  private(set) var session: StoredSession?
  private(set) var errors = FormErrors()
  /// The newest time that the page shows, exclusive. The first page has no limit.
  private(set) var before: WallTime?

  init(_ context: PageContext) throws {
    fields = Dictionary(
      uniqueKeysWithValues: Self.names.compactMap { name in
        context.query.text(name).flatMap { $0.isEmpty ? nil : (name, $0) }
      })
    readTimes(context)
    readCategories(context)
    readConfidence(context)
    filter.strap = fields["strap"]
    try readSession(context)
    if let text = fields["before"] { before = Int64(text).map { WallTime(microseconds: $0) } }
    if let before {
      let times = filter.times
      filter.times =
        min(times.lowerBound, before)..<max(min(times.upperBound, before), min(times.lowerBound, before))
    }
  }

  subscript(name: String) -> String? { fields[name] }

  /// Whether any filter is set.
  var isFiltered: Bool {
    fields.keys.contains { $0 != "before" } || !categories.isEmpty
  }

  private mutating func readTimes(_ context: PageContext) {
    let (from, to) = (day("from", context), day("to", context))
    let calendar = LocalCalendar.system
    let start = from.map(calendar.start) ?? HistoryFilter.always.lowerBound
    // The last day is included.
    let end = to.map { calendar.start(ofDay: $0 + 1) } ?? HistoryFilter.always.upperBound
    guard start < end else {
      return errors.add(
        context.localized("The last day is before the first one. Enter a later date, or leave it empty."),
        for: "to")
    }
    filter.times = start..<end
  }

  private mutating func day(_ name: String, _ context: PageContext) -> Int64? {
    guard let text = fields[name] else { return nil }
    guard text.utf8.count == 10, let day = WallTime(rfc3339: text + "T00:00:00Z")?.localDay(utcOffset: 0)
    else {
      errors.add(context.localized("Enter a date such as \("2026-11-21")."), for: name)
      return nil
    }
    return Int64(day)
  }

  private mutating func readCategories(_ context: PageContext) {
    for text in context.query.texts("category") where !text.isEmpty {
      guard let category = StressCategory(rawValue: text) else {
        errors.add(context.localized("Choose among the four categories."), for: "category")
        continue
      }
      categories.insert(category)
    }
    filter.categories = categories
  }

  private mutating func readConfidence(_ context: PageContext) {
    guard let text = fields["confidence"] else { return }
    guard let percent = Int(text), (0...100).contains(percent) else {
      return errors.add(context.localized("Enter a whole number from \("0") to \("100")."), for: "confidence")
    }
    filter.leastConfidence = Double(percent) / 100
  }

  private mutating func readSession(_ context: PageContext) throws {
    guard let text = fields["session"] else { return }
    do throws(HistoryError) {
      session = try context.reader?.session(beginningWith: text, of: context.profile)
    } catch {
      guard error.code == .ambiguous else { throw error }
    }
    guard let session else {
      return errors.add(
        context.localized("No session, or more than one, begins like this. Copy the ID from the list below."),
        for: "session")
    }
    filter.session = session.info.id
  }

  /// The same filters as a query, with `before` for the next page.
  func path(before time: WallTime?) -> String {
    var parts = ["from", "to", "strap", "confidence", "session"].compactMap { name in
      fields[name].map { "\(name)=\($0.percentEncoded)" }
    }
    parts += StressCategory.allCases.filter(categories.contains).map { "category=\($0.rawValue)" }
    if let time { parts.append("before=\(time.microseconds)") }
    return Self.path + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
  }
}
