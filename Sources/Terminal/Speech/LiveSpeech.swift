import HeartRate
import LiveSession
import Localization
import Stress

/// The live view as sentences for a screen reader: on changes of category, link or confidence, and at a fixed interval.
package struct LiveSpeech: Sendable {
  private let style: TerminalStyle
  private let normal: NormalPosition?
  /// Precedes each sentence; empty for a single session.
  private let label: String
  private let period: Int64
  private var link: LinkChange.State?
  private var hasLostContact = Debounced(false, seconds: 5)
  private var category = Debounced<StressCategory?>(nil, seconds: 10)
  private var isUncertain = Debounced(false, seconds: 10)
  private var isCollecting = Debounced(false, seconds: 5)
  private var lacksCategory = Debounced(false, seconds: 10)
  private var sensorClass: SensorClass?
  private var hasBatteryWarning = false
  private var hasEnded = false
  private var dueAt: Int64

  /// - Parameters:
  ///   - every: Interval of the values without changes.
  ///   - label: The name of the session, if there are several.
  package init(
    style: TerminalStyle, every: Duration, label: String? = nil, normal: NormalPosition? = nil
  ) {
    (self.style, self.normal) = (style, normal)
    self.label = label.map { $0.printable + ": " } ?? ""
    period = every.ticks
    dueAt = period
  }

  /// The sentences for a new state; usually none.
  package mutating func sentences(_ state: LiveState) -> [String] {
    var said = linkSentences(state)
    if let values = changedValues(state) { said.append(values) }
    if state.hasEnded, !hasEnded {
      hasEnded = true
      let time = SpokenWords(style: style).length(seconds: state.now.seconds)
      said.append(style.localized("The session has ended after \(time)."))
    }
    return label.isEmpty ? said : said.map { label + $0 }
  }

  /// Changes of the strap and its link.
  /// - Parameter isBrief: Whether to omit the search for the strap, which needs no action during an exercise.
  package mutating func linkSentences(_ state: LiveState, isBrief: Bool = false) -> [String] {
    var said: [String] = []
    if let change = state.link, change.state != link {
      let isOmitted = isBrief && change.state == .searching
      if !isOmitted, let sentence = sentence(change, state) { said.append(sentence) }
      link = change.state
    }
    if hasLostContact.update(to: state.contact == .notDetected, at: state.now) {
      said.append(
        hasLostContact.settled
          ? style.localized("No contact with the skin: check the strap.")
          : style.localized("The strap has contact with the skin again."))
    }
    if state.sensorClass != sensorClass {
      sensorClass = state.sensorClass
      if let warning = sensorClass?.warning { said.append(style.localized(Phrase(known: warning))) }
    }
    if state.battery.hasWarned, !hasBatteryWarning, let level = state.battery.level {
      hasBatteryWarning = true
      said.append(style.localized("The strap's battery is low: \(level.percent) percent."))
    }
    return said
  }

  /// Omits the technical reason of a change, which is in English and on the screen.
  private func sentence(_ change: LinkChange, _ state: LiveState) -> String? {
    switch change.state {
    case .connecting: return nil
    case .connected where link == .stale: return style.localized("Data are received again.")
    case .connected:
      let name = state.strap.map { ($0.name ?? $0.address).printable }
      return name.map { style.localized("Connected to \($0).") } ?? style.localized("Connected.")
    case .searching where link == nil:
      return style.localized("Searching for the strap. Wear it, and moisten its electrodes.")
    case .searching: return style.localized("Searching for the strap.")
    case .stale: return style.localized("No data are received from the strap. The last values are not live.")
    case .lost:
      return style.localized("The link to the strap is lost; reconnecting. The last values are not live.")
    }
  }

  /// The values, when their category or confidence has changed, when movement or exertion has begun or ended, when the window
  /// has begun or ended to collect the data for a stress value, and at the configured interval.
  private mutating func changedValues(_ state: LiveState) -> String? {
    guard !state.isStale, !state.hasEnded, let measurement = state.measurement else { return nil }
    let new = measurement.statedCategory
    var isDue = state.now.ticks >= dueAt
    if lacksCategory.update(to: state.lacksCategory, at: state.now) { isDue = true }
    let collecting = SpokenWords(style: style).collecting(measurement)
    if isCollecting.update(to: collecting != nil, at: state.now) { isDue = true }
    if new != nil, category.update(to: new, at: state.now) { isDue = true }
    let uncertain = ConfidenceLevel(measurement.confidence ?? 0) == .low
    if category.settled != nil, isUncertain.update(to: uncertain, at: state.now) { isDue = true }
    guard isDue else { return nil }
    dueAt = state.now.ticks + period
    // Included in this sentence: not repeated when the new value is stable.
    isUncertain.set(uncertain)
    lacksCategory.set(state.lacksCategory)
    if new != nil { category.set(new) }
    return SpokenReading(style: style, normal: normal).text(measurement, heartRate: state.heartRate)
  }
}
