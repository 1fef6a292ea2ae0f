import History
import HummingbirdCore
import Localization
import Platform
import Reports
import Stress

/// The baseline at rest: its values, the data that it is estimated from, and forms that set and reset it.
struct BaselinePage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/baseline"

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await show($0) },
      Endpoint("POST", Self.path) { try await set($0) },
      Endpoint("POST", "\(Self.path)/reset") { try await reset($0) },
      Endpoint("POST", "\(Self.path)/recompute") { try await recompute($0) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [PageNotice.parameter]) { try BaselineView($0).page }
  }

  private func set(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, form in
      let stored = try context.reader?.baseline(of: context.profile) ?? .populationDefault
      let draft = BaselineDraft(form, stored, context)
      guard draft.errors.isEmpty else { return .page(try BaselineView(context, draft).page) }
      let writer = try HistoryWriter(context.options.location)
      try writer.setBaseline(draft.baseline, of: context.profile, at: SystemClock.wall)
      return .redirect(context.path(PageNotice.path(Self.path, .changed)))
    }
  }

  private func reset(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, _ in
      _ = try HistoryWriter(context.options.location)
      try BaselineUpdater(context.options.location).reset(context.profile, at: SystemClock.wall)
      return .redirect(context.path(PageNotice.path(Self.path, .changed)))
    }
  }

  private func recompute(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, _ in
      let updater = try BaselineUpdater(context.options.location)
      _ = try updater.recompute(context.profile, today: LocalZone.today, at: SystemClock.wall)
      return .redirect(context.path(PageNotice.path(Self.path, .changed)))
    }
  }
}

/// The values of the form that sets a baseline.
struct BaselineDraft: Sendable {
  private(set) var baseline: Baseline
  private(set) var values: [String: String] = [:]
  private(set) var errors = FormErrors()

  /// The fields with their ranges, as `stressmon baseline set` accepts them.
  private static let fields:
    [(name: String, path: any WritableKeyPath<Baseline, Double> & Sendable, range: ClosedRange<Double>)] =
      [
        ("rmssd", \.rmssd, 1...500), ("sdnn", \.sdnn, 1...500), ("resting-hr", \.restingHeartRate, 20...150),
      ]

  init(_ stored: Baseline) {
    baseline = stored
    for field in Self.fields { values[field.name] = stored[keyPath: field.path].fixed(1) }
  }

  init(_ form: FormBody, _ stored: Baseline, _ context: PageContext) {
    baseline = stored
    for field in Self.fields {
      let text = form.value(field.name) ?? ""
      values[field.name] = text
      guard let value = Double(text.replacing(",", with: ".")), field.range.contains(value) else {
        let (low, high) = (field.range.lowerBound.fixed(0), field.range.upperBound.fixed(0))
        errors.add(context.localized("Enter a number from \(low) to \(high)."), for: field.name)
        continue
      }
      baseline[keyPath: field.path] = value
    }
    baseline.markManual()
  }
}
