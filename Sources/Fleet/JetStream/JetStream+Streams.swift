internal import CNats
internal import Localization

extension JetStream {
  /// The time within which a message that is sent again is discarded by the stream, in ns: 10 min.
  private static let duplicates: Int64 = 600_000_000_000

  /// The state of a stream, if the stream exists.
  /// - Throws: ``FleetError``, also with the code `unreachable` if the user has no permission to request the state.
  package func stream(_ name: String) throws(FleetError) -> StreamState? {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var error = jsErrCode(rawValue: 0)
    let status = unsafe js_GetStreamInfo(&info, context, name, nil, &error)
    defer { unsafe jsStreamInfo_Destroy(info) }
    if error == JSStreamNotFoundErr { return nil }
    try check(status, Phrase("cannot read the state of the stream \(name)"), error: error)
    return unsafe info.map { unsafe StreamState($0.pointee) }
  }

  /// Creates the stream of the study. Does nothing if it exists with these limits.
  /// - Throws: ``FleetError``, with the code `jetStream` if it exists with other limits.
  package func createStream(_ limits: StreamLimits) throws(FleetError) {
    var config = unsafe jsStreamConfig()
    unsafe jsStreamConfig_Init(&config)
    unsafe config.Storage = js_FileStorage
    // A full stream rejects messages: the receivers keep them and send them again.
    unsafe config.Discard = js_DiscardNew
    unsafe config.set(limits)
    // The server requires a window that is not longer than the age of messages.
    unsafe config.Duplicates = config.MaxAge > 0 ? min(Self.duplicates, config.MaxAge) : Self.duplicates
    var error = jsErrCode(rawValue: 0)
    let status = unsafe server.stream.withCString { name in
      unsafe FleetSubject.filter(study: server.study).withCString { subject in
        var subjects: [UnsafePointer<CChar>?] = unsafe [subject]
        return unsafe subjects.withUnsafeMutableBufferPointer { subjects in
          unsafe config.Name = name
          unsafe (config.Subjects, config.SubjectsLen) = (subjects.baseAddress, 1)
          return unsafe js_AddStream(nil, context, &config, nil, &error)
        }
      }
    }
    try check(status, Phrase("cannot create the stream \(server.stream)"), error: error)
  }

  /// Changes the limits of a stream.
  package func setLimits(_ limits: StreamLimits, of name: String) throws(FleetError) {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var error = jsErrCode(rawValue: 0)
    let attempt = Phrase("cannot change the limits of the stream \(name)")
    try check(unsafe js_GetStreamInfo(&info, context, name, nil, &error), attempt, error: error)
    defer { unsafe jsStreamInfo_Destroy(info) }
    guard let config = unsafe info?.pointee.Config else { return }
    unsafe config.pointee.set(limits)
    try check(unsafe js_UpdateStream(nil, context, config, nil, &error), attempt, error: error)
  }

  /// The number of messages of a stream whose subject matches `filter`.
  package func messages(in stream: String, matching filter: String) throws(FleetError) -> UInt64 {
    var options = unsafe jsOptions()
    unsafe jsOptions_Init(&options)
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var error = jsErrCode(rawValue: 0)
    let status = unsafe filter.withCString { filter in
      unsafe options.Stream.Info.SubjectsFilter = filter
      return unsafe js_GetStreamInfo(&info, context, stream, &options, &error)
    }
    defer { unsafe jsStreamInfo_Destroy(info) }
    try check(status, Phrase("cannot count the messages of the stream \(stream)"), error: error)
    guard let subjects = unsafe info?.pointee.State.Subjects?.pointee else { return 0 }
    return unsafe (0..<Int(subjects.Count)).reduce(0) { unsafe $0 + subjects.List[$1].Msgs }
  }

  /// Removes the messages whose subject matches `filter`.
  package func purge(_ stream: String, matching filter: String) throws(FleetError) {
    var options = unsafe jsOptions()
    unsafe jsOptions_Init(&options)
    var error = jsErrCode(rawValue: 0)
    let status = unsafe filter.withCString { filter in
      unsafe options.Stream.Purge.Subject = filter
      return unsafe js_PurgeStream(context, stream, &options, &error)
    }
    try check(status, Phrase("cannot remove \(filter) from the stream \(stream)"), error: error)
  }
}

extension jsStreamConfig {
  fileprivate mutating func set(_ limits: StreamLimits) {
    unsafe Replicas = Int64(limits.replicas)
    unsafe MaxAge = limits.age.map { Int64(min($0, StreamLimits.longestAge) / .nanoseconds(1)) } ?? 0
    unsafe MaxBytes = limits.bytes ?? -1
  }
}
