package import HRV
package import HeartRate
package import Motion
package import Stress

/// One step of a session.
///
/// For each event, sinks receive ``upcoming(_:)``, ``event(_:)``, the ``part(_:)`` values that the event consists of, each
/// beat followed by its ``measurement(_:)``, the ``motion(_:)`` values of a sensor frame, ``sensorClass(_:)`` if the event
/// changed it, and last ``processed``. A live session sends a ``notice(_:)`` after the update that caused it.
package enum SessionUpdate {
  /// The event that is processed next. Events that a sink inserts now are processed before it.
  case upcoming(SessionEvent)
  case event(SessionEvent)
  /// A notification, a beat or a gap of the current event.
  case part(BeatStream.Event)
  /// The measurement that the last beat completes. Indirect: each sink copies the updates that it examines, and without its
  /// measurement an update has a fifth of the size.
  indirect case measurement(StressMeasurement)
  /// The type of RR intervals that the sensor sends; nil if another stream of intervals begins that is not classified yet.
  case sensorClass(SensorClass?)
  /// The features of a second of acceleration.
  case motion(MotionSecond)
  /// The state of the verification with the electrocardiogram, after each of its frames.
  case ecg(ECGStatus)
  /// A question, a change of category or an alarm that the last measurement or heart rate caused.
  case notice(SessionNotice)
  /// The event has no further updates. Sinks that write the results of an event at once do so now.
  case processed
}

extension StressEngine {
  /// Processes an event, and calls `send` with its updates from ``SessionUpdate/event(_:)`` to ``SessionUpdate/processed``.
  package mutating func process(_ event: SessionEvent, _ send: (SessionUpdate) -> Void) {
    send(.event(event))
    let known = sensorClass
    update(event) {
      send(.part($0))
    } measured: {
      send(.measurement($0))
    } moved: {
      send(.motion($0))
    }
    if sensorClass != known { send(.sensorClass(sensorClass)) }
    if let ecgStatus, event.isECGFrame { send(.ecg(ecgStatus)) }
    send(.processed)
  }
}

extension SessionEvent {
  fileprivate var isECGFrame: Bool {
    if case .sensorFrame(let payload) = kind { SensorFrame.stream(of: payload) == .ecg } else { false }
  }
}

/// Something that a session reports to the person besides its values.
package enum SessionNotice: Equatable, Sendable {
  /// A question, which is stored under this number.
  case prompt(Int64, StressPrompt)
  /// The category of the stress value has changed.
  case category(StressCategory)
  /// A condition that the person set is fulfilled.
  case alarm(AlarmCondition)

  /// The value of `notice` in JSON.
  var name: String {
    switch self {
    case .prompt: "prompt"
    case .category: "category"
    case .alarm: "alarm"
    }
  }
}
