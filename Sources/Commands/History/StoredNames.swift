import History
import Localization

extension SessionInfo.Source {
  /// The name in tables; JSON and CSV contain the raw value.
  var name: Phrase {
    switch self {
    case .strap: Phrase("strap")
    case .simulated: Phrase("simulated")
    case .imported: Phrase("imported")
    }
  }
}

extension StoredSession {
  /// The outcome in tables; JSON and CSV contain the raw value.
  var end: Phrase {
    switch outcome {
    case .finished: Phrase("finished")
    case .interrupted: Phrase("interrupted")
    case nil: Phrase("not ended")
    }
  }
}

extension Mood {
  /// ``word`` as a phrase.
  var name: Phrase {
    switch rating {
    case ...2: Phrase("very anxious")
    case ...4: Phrase("anxious")
    case ...6: Phrase("neutral")
    case ...8: Phrase("calm")
    default: Phrase("very calm")
    }
  }
}
