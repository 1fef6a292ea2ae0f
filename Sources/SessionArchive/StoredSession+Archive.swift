internal import HeartRate
package import History
package import SessionData

extension StoredSession {
  /// The header of a recording of the session.
  package var recordingHeader: RecordingHeader {
    RecordingHeader(
      session: info.id.text, profile: info.profile, strap: info.strap, started: info.started, zone: info.zone,
      settings: info.settings, baseline: info.baseline, program: info.programVersion,
      engine: info.engine)
  }

  /// What exported JSON lines contain in addition to ``recordingHeader``.
  package func provenance(_ reader: HistoryReader) throws(HistoryError) -> SessionProvenance {
    SessionProvenance(
      source: info.source.rawValue, utcOffset: info.utcOffset,
      monotonicNanoseconds: info.monotonicNanoseconds, isFinished: outcome.map { $0 == .finished },
      ended: ended, readings: try reader.readings(of: info.id))
  }
}

extension ImportedSession {
  /// A session of exported JSON lines, with the ID, the settings and the baseline that they contain. The lines must contain
  /// an ID, and a start between 1970 and 2199.
  /// - Parameter fingerprint: That of the file from which the session was imported first, if known. The default is that of
  ///   its events.
  package init?(exported session: FileSession, fingerprint: [UInt8]?) {
    guard let header = session.header, let id = SessionID(header.session), let started = header.started,
      (0..<7_258_118_400_000_000).contains(started.microseconds)
    else { return nil }
    let provenance = session.provenance ?? SessionProvenance()
    let info = SessionInfo(
      id: id, profile: header.profile,
      source: provenance.source.flatMap(SessionInfo.Source.init) ?? .imported, strap: header.strap,
      started: started,
      zone: header.zone ?? "+00:00", utcOffset: provenance.utcOffset ?? 0,
      monotonicNanoseconds: provenance.monotonicNanoseconds ?? 0, settings: header.settings,
      baseline: header.baseline, programVersion: header.program ?? "", engine: header.engine)
    self.init(
      info: info, fingerprint: fingerprint ?? session.fingerprint, format: "jsonl", events: session.events,
      ended: provenance.ended, readings: provenance.readings)
  }
}
