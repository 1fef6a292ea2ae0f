import HRV
package import HeartRate

/// What the writers of research formats need of a session, except the samples of the sensor streams.
///
/// The events are read twice: once for this index, and once by the writer for the samples. Memory is about 64 bytes per beat;
/// samples are never kept.
package struct ResearchSession: Sendable {
  /// Wall-clock time at session time 0.
  let started: WallTime
  /// Offset from UTC in seconds (east is positive).
  let utcOffset: Int
  let chain: RPeakChain
  /// Notes of the user, in the order of their times.
  let marks: [(at: SessionTime, text: String)]
  /// Acceleration and electrocardiogram, if they were recorded.
  let tracks: [SensorTrack]
  /// Time of the last event.
  let end: SessionTime

  package init(_ events: some Sequence<SessionEvent>, started: WallTime, utcOffset: Int) {
    (self.started, self.utcOffset) = (started, utcOffset)
    var stream = BeatStream(classification: .none)
    var beats: [Beat] = []
    var marks: [(at: SessionTime, text: String)] = []
    var survey = SensorSurvey()
    var end = SessionTime.zero
    for event in events {
      end = max(end, event.at)
      if case .mark(let text) = event.kind { marks.append((event.at, text)) }
      survey.update(event)
      stream.update(event) { if case .beat(let beat) = $0 { beats.append(beat) } }
    }
    let breaks = beats.indices.filter { beats[$0].followsBreak }
    chain = RPeakChain(ArtefactClassifier.classify(beats), breaks: breaks)
    (self.marks, self.end) = (marks, end)
    tracks = survey.tracks
  }

  /// Whether the session has no RR interval.
  package var isEmpty: Bool { chain.peaks.isEmpty }

  /// The start in local time, as if it were UTC.
  var localStart: WallTime { started.advanced(ticks: Int64(utcOffset) * RRInterval.ticksPerSecond) }
}

/// Receives the bytes of a file, in order.
package typealias ByteSink = ([UInt8]) throws -> Void
