import Breathing
import HeartRate
import History
import Localization
import Platform
import Plot
import Stress

extension MeasurementLock.Conflict {
  /// The description as a phrase.
  var message: Phrase {
    since.map { Phrase("\(name) is in use: \(holder) since \($0.rfc3339). \(advice)") }
      ?? Phrase("\(name) is in use: \(holder). \(advice)")
  }

  private var name: Phrase {
    switch subject {
    case .profile(let name): Phrase("profile '\(name)'")
    case .strap(let strap): Phrase("strap \(strap.description)")
    }
  }

  private var holder: Phrase {
    switch (pid, profile) {
    case (let pid?, let profile?): Phrase("process \(pid) measures for profile '\(profile)'")
    case (let pid?, nil): Phrase("process \(pid) measures")
    case (nil, let profile?): Phrase("another stressmon measures for profile '\(profile)'")
    case (nil, nil): Phrase("another stressmon measures")
    }
  }

  private var advice: Phrase {
    pid.map { Phrase("End it with: kill -INT \($0)") } ?? Phrase("Find it with: pgrep -a stressmon")
  }
}

extension RunningSession {
  /// The description as a phrase.
  var message: Phrase {
    let id = "\(session)"
    return holder.map { Phrase("session \(id) is running and was not deleted: \($0.message)") }
      ?? Phrase("session \(id) is running and was not deleted; delete it when it has ended")
  }
}

extension PatternError {
  /// The description as a phrase.
  var message: Phrase {
    switch self {
    case .malformed(let text):
      Phrase(
        """
        '\(text)' is not a breathing pattern. Type 4-7-8, box, coherent, or the seconds of inhaling, holding, exhaling and \
        pausing, such as 4-0-6-0.
        """)
    case .outOfRange(let phase, let seconds, let range):
      Phrase(
        """
        \(phase.name) of \(seconds.short) s is out of range: expected \(range.lowerBound.short) to \
        \(range.upperBound.short) s.
        """)
    }
  }
}

extension BreathPhase {
  fileprivate var name: Phrase {
    switch self {
    case .inhale: Phrase("inhale")
    case .hold: Phrase("hold")
    case .exhale: Phrase("exhale")
    case .pause: Phrase("pause")
    }
  }
}

extension Double {
  /// The number without decimals if it is an integer.
  fileprivate var short: String { abs(self) < 1e6 && self == rounded() ? "\(Int64(self))" : "\(self)" }
}

extension StressScore.InputError {
  /// The reason for the missing stress value.
  var message: Phrase {
    let unit = input == .hrv || input == .baselineHRV ? "ms" : "bpm"
    return input == .hrv
      ? Phrase("no stress value: \(name) is \("\(value)") \(unit); it must be a number, 0 \(unit) or more")
      : Phrase("no stress value: \(name) is \("\(value)") \(unit); it must be a number, more than 0 \(unit)")
  }

  private var name: Phrase {
    switch input {
    case .hrv: Phrase("HRV")
    case .heartRate: Phrase("heart rate")
    case .baselineHRV: Phrase("baseline HRV")
    case .restingHeartRate: Phrase("resting heart rate")
    }
  }
}

extension PNGError {
  /// The description as a phrase. The output of the renderer is not translated.
  var message: Phrase {
    switch self {
    case .noProgram:
      Phrase(
        """
        PNG and PDF require the program rsvg-convert, which is not on PATH. Install it (apt install librsvg2-bin), or choose SVG
        """)
    case .notDrawn(let output):
      output.split(whereSeparator: \.isNewline).first.map {
        Phrase("rsvg-convert produced no picture: \(String($0)). Choose SVG")
      } ?? Phrase("rsvg-convert produced no picture. Choose SVG")
    }
  }
}
