package import HeartRate
package import Logging
package import Simulator
import Strap
import Stress

/// Where the events of a session come from.
package enum SessionSource: Sendable {
  case simulated(SimulatedSource)
  case strap(StrapSource)
  /// The lines of another program or of a file.
  case lines(ProgramSource)

  /// The simulated strap, unless the source is a real one.
  package var simulated: SimulatedSource? {
    if case .simulated(let source) = self { source } else { nil }
  }

  /// Shares the radio with the other sessions of the run.
  mutating func use(_ radio: RadioArbiter) {
    guard case .strap(var source) = self else { return }
    source.radio = radio
    self = .strap(source)
  }

  /// Receives the electrocardiogram of a real strap, and verifies the beats with it.
  package mutating func addECG() {
    guard case .strap(var source) = self else { return }
    source.streams.append(.ecg)
    self = .strap(source)
  }

  /// Lets the simulated person, if any, rest for a morning reading, and stand in its second part.
  mutating func simulateMorning(_ course: MorningCourse) {
    guard case .simulated(var source) = self else { return }
    let standsUp = course.isOrthostatic ? SessionTime(ticks: course.length.ticks) : nil
    source.rest = Sitting(standsUp: standsUp) { _ in nil }
    self = .simulated(source)
  }

  /// The speed of session time.
  private var pace: Pace {
    switch self {
    case .simulated(let source): source.pace
    case .lines(let source): source.pace
    case .strap: .times(1)
    }
  }

  /// Whether the events are known in advance, so that the source waits for the readers of its output.
  package var waitsForReaders: Bool { simulated != nil || fileLength != nil }

  /// The length of the file that is the source, if it is one.
  var fileLength: Duration? {
    if case .lines(let source) = self { source.length } else { nil }
  }

  /// The speed at which session time passes between events. Absent at maximum pace, where time passes with the events only.
  package var speed: Double? {
    switch pace {
    case .times(let factor): factor
    case .maximum: nil
    }
  }

  /// How long before now a simulated session of known `length`, or that of a file, starts. It ends now at any speed, because
  /// the history must contain no session in the future.
  package func headStart(over length: Duration?) -> Duration {
    guard waitsForReaders, let length = fileLength ?? length else { return .zero }
    switch pace {
    case .maximum: return length
    case .times(let factor): return factor > 1 ? length - length / factor : .zero
    }
  }
}

/// A simulated strap. Equal seeds give equal beats.
package struct SimulatedSource: Sendable {
  package var seed: UInt64
  package var pace: Pace
  /// What the simulated person does. By default, the strap has no acceleration.
  package var motion: MotionScript?
  /// Replaces the simulated day by one rest, for the whole session.
  var rest: Sitting?

  package init(seed: UInt64 = 1, pace: Pace = .times(1), motion: MotionScript? = nil) {
    (self.seed, self.pace, self.motion) = (seed, pace, motion)
  }

  /// The source, with its first event at `started`. The simulated person breathes as `controller` paces, and sits still if
  /// the whole session is an exercise.
  func source(
    started: WallTime, duration: Duration?, controller: SessionController?
  ) -> PacedSource<SimulatedStrap, ContinuousClock> {
    var strap = strap(started: started, duration: duration, controller: controller)
    strap.motion = motion
    return PacedSource(strap, pace: pace)
  }

  private func strap(
    started: WallTime, duration: Duration?, controller: SessionController?
  ) -> SimulatedStrap {
    if let rest {
      return SimulatedStrap(seed: seed, startWall: started, duration: duration, sitting: rest)
    }
    guard let controller else { return SimulatedStrap(seed: seed, startWall: started, duration: duration) }
    guard controller.isExerciseSession else {
      return SimulatedStrap(
        seed: seed, startWall: started, duration: duration,
        breathing: { time in controller.breath(at: time)?.phase })
    }
    return SimulatedStrap(
      seed: seed, startWall: started, duration: duration, sitting: Sitting { controller.breath(at: $0) })
  }
}

/// A strap that is connected over Bluetooth.
package struct StrapSource: Sendable {
  /// Address or name. The default is the strap of the profile that was used last and responds.
  package var strap: String?
  /// `hci0` or an address. By default, the first adapter that is on is used.
  package var adapter: String?
  /// Maximum duration of the scan. `nil` scans without limit.
  package var searchTime: Duration? = .seconds(30)
  /// The sensor streams to start, if the strap provides them; PPI only if it sends no RR intervals.
  package var streams: [SensorStream] = [.acceleration, .ppi]
  fileprivate var radio = RadioArbiter()
  package var logger: Logger

  package init(strap: String?, adapter: String?, logger: Logger) {
    (self.strap, self.adapter, self.logger) = (strap, adapter, logger)
  }

  func source(_ profile: StoredProfile) -> BlueZStrap {
    var source = BlueZStrap(
      strap.map { StrapSelection($0) } ?? profile.selection, adapter: adapter, searchTime: searchTime,
      radio: radio,
      logger: logger
    ) { profile.remember($0) }
    source.streams = streams
    source.verifiesBeats = streams.contains(.ecg)
    return source
  }
}
