package import HRV
package import HeartRate
package import History
package import Localization
package import Stress

extension SessionInfo.Source {
  /// The name in tables; JSON and CSV contain the raw value.
  package var name: Phrase {
    switch self {
    case .strap: Phrase("strap")
    case .simulated: Phrase("simulated")
    case .imported: Phrase("imported")
    }
  }
}

extension StoredSession {
  /// `45 s`, `20 min`
  package var roundedLength: Phrase {
    let seconds = length.seconds.rounded()
    return seconds < 120 ? Phrase("\(seconds.fixed(0)) s") : Phrase("\((seconds / 60).fixed(0)) min")
  }

  /// The outcome in tables; JSON and CSV contain the raw value.
  package var end: Phrase {
    switch outcome {
    case .finished: Phrase("finished")
    case .interrupted: Phrase("interrupted")
    case nil: Phrase("not ended")
    }
  }
}

extension LinkChange.State {
  /// The state in tables and sentences.
  package var word: Phrase {
    switch self {
    case .searching: Phrase("searching")
    case .connecting: Phrase("connecting")
    case .connected: Phrase("connected")
    case .stale: Phrase("stale")
    case .lost: Phrase("lost")
    }
  }
}

extension Gap.Cause {
  /// The cause in sentences.
  package var word: Phrase {
    switch self {
    case .linkLost: Phrase("link lost")
    case .dataMissing: Phrase("data missing")
    case .longInterval: Phrase("long interval")
    }
  }
}

extension SensorClass {
  /// ``name`` as a phrase.
  package var word: Phrase { Phrase(known: name) }
}

extension Mood {
  /// ``word`` as a phrase.
  package var name: Phrase {
    switch rating {
    case ...2: Phrase("very anxious")
    case ...4: Phrase("anxious")
    case ...6: Phrase("neutral")
    case ...8: Phrase("calm")
    default: Phrase("very calm")
    }
  }
}

extension MorningPosture {
  /// The posture in tables and sentences.
  package var name: Phrase {
    switch self {
    case .lying: Phrase("lying")
    case .sitting: Phrase("sitting")
    case .standing: Phrase("standing")
    }
  }
}

extension StoredBreathing.Changed {
  /// The value in tables and sentences.
  package var word: Phrase {
    switch self {
    case .yes: Phrase("yes")
    case .no: Phrase("no")
    case .cannotTell: Phrase("inconclusive")
    }
  }
}

extension NormalRange.Position {
  /// The position in tables.
  package var word: Phrase {
    switch self {
    case .below: Phrase("below")
    case .within: Phrase("within")
    case .above: Phrase("above")
    }
  }
}

extension MorningWeek.Trend {
  /// The trend in tables.
  package var word: Phrase {
    switch self {
    case .lower: Phrase("lower")
    case .steady: Phrase("steady")
    case .higher: Phrase("higher")
    }
  }
}
