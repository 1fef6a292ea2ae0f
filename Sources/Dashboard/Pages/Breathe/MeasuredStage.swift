import Breathing
import HeartRate
import JSONLines
import LiveFeed
import LiveSession
import Localization

/// The stage of a measured exercise that the server runs, from the marks of its session. The script continues from it.
struct MeasuredStage: Equatable, Sendable {
  enum Kind: String, Sendable, CaseIterable {
    /// Before the first heartbeat.
    case waiting
    case before
    case breathing
    case after
    case over
  }

  private(set) var kind = Kind.waiting
  /// Seconds since the stage began.
  private(set) var elapsed = 0.0
  /// Length of the breathing in seconds.
  let breathing: Double

  /// Length of each rest in seconds: the default of `stressmon breathe`.
  private static let rest = 60.0

  /// - Parameters:
  ///   - started: earlier marks belong to another exercise.
  ///   - breathing: length of the breathing in seconds.
  init(_ marks: [FeedMark], since started: WallTime, breathing: Double, now: WallTime) {
    self.breathing = breathing
    for mark in marks {
      guard let kind = ExerciseMark(text: mark.text).flatMap(Self.kind(after:)),
        let time = WallTime(rfc3339: mark.time), time >= started
      else { continue }
      self.kind = kind
      elapsed = max(0, Double(now.microseconds - time.microseconds) / 1_000_000)
    }
  }

  /// The stage that begins with a mark. A mark within a stage begins none.
  private static func kind(after mark: ExerciseMark) -> Kind? {
    switch mark {
    case .restBegins: .before
    case .breathingBegins: .breathing
    case .breathingEnds: .after
    case .restEnds: .over
    case .pattern, .paused, .resumed: nil
    }
  }

  /// Length of a stage in seconds, if it has one.
  private func length(_ kind: Kind) -> Double? {
    switch kind {
    case .before, .after: Self.rest
    case .breathing: breathing
    case .waiting, .over: nil
    }
  }

  /// Remaining seconds, if the stage has a length.
  var left: Double? { length(kind).map { max(0, $0 - elapsed) } }

  /// The completed part of the stage, from 0 to 1.
  var progress: Double { length(kind).map { min(1, elapsed / $0) } ?? (kind == .over ? 1 : 0) }

  /// The three measured stages with their lengths; the current one with its remaining time.
  func steps(_ context: PageContext) -> HTML {
    let order = Kind.allCases
    let steps = [Kind.before, .breathing, .after].map { step -> HTML in
      let isDone = (order.firstIndex(of: step) ?? 0) < (order.firstIndex(of: kind) ?? 0)
      let time = step == kind ? left : isDone ? nil : length(step)
      return """
        <li data-stage="\(step.rawValue)"\(attribute: "class", isDone ? "done" : nil)\
        \(attribute: "aria-current", step == kind ? "step" : nil)><span>\(Self.word(step, context))</span>\
        <span class="number">\(time.map(Self.clock) ?? "\u{2713}")</span></li>
        """
    }
    return "<ol class=\"stages\" aria-label=\"\(context.localized("Stages"))\">\(steps)</ol>"
  }

  /// The instruction with the remaining time.
  func instruction(_ context: PageContext) -> HTML {
    let left = left.map { context.localized("\(Self.clock($0)) left") } ?? ""
    return """
      <p id="stage" class="stage"><strong class="stage-text">\(Self.text(kind, context))</strong>\
       <span class="stage-left number">\(left)</span></p>
      """
  }

  /// The stage for the script.
  func attributes(_ context: PageContext) -> HTML {
    """
     data-stage="\(kind.rawValue)" data-elapsed="\(elapsed.fixed(1))" data-stages="\(stages(context))"
    """
  }

  /// The texts, the length and the mark of each stage.
  private func stages(_ context: PageContext) -> String {
    var line = JSONLine()
    line.line { line in
      for kind in Kind.allCases {
        line.put(kind.rawValue) { stage in
          stage.put("text", Self.text(kind, context))
          stage.put("word", Self.word(kind, context))
          stage.put("length", length(kind))
          stage.put("mark", Self.mark(kind)?.text)
        }
      }
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }

  static func mark(_ kind: Kind) -> ExerciseMark? {
    [.restBegins, .breathingBegins, .breathingEnds, .restEnds].first { self.kind(after: $0) == kind }
  }

  private static func text(_ kind: Kind, _ context: PageContext) -> String {
    switch kind {
    case .waiting:
      context.localized("Put on the strap and sit still. The first rest begins with the first heartbeat.")
    case .before: context.localized("Sit still and breathe normally.")
    case .breathing: context.localized("Breathe with the circle.")
    case .after: context.localized("Stay seated and breathe normally: the second rest is being measured.")
    case .over: context.localized("The exercise has ended. Its result follows.")
    }
  }

  /// The name of a stage, in the circle and in the list of stages.
  static func word(_ kind: Kind, _ context: PageContext) -> String {
    switch kind {
    case .waiting: context.localized("Get ready")
    case .before, .after: context.localized("Rest")
    case .breathing: context.localized("Breathe")
    case .over: context.localized("Done")
    }
  }

  /// `0:43`
  static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }
}
