import Glibc
import Localization
import Platform

/// Provides the streams of the Lab Streaming Layer to any number of inlets in the network.
@safe package final class LSLTransport: OutletTransport {
  /// Values of `lsl_channel_format_t`.
  private enum Format: CInt {
    case double = 2
    case text = 3
  }

  /// Beginning of the names of the streams.
  private let name: String
  private let identity: OutletIdentity
  private var library: LSLLibrary?
  private var outlets: [LSLStream: OpaquePointer] = unsafe [:]

  package init(name: String, identity: OutletIdentity) { (self.name, self.identity) = (name, identity) }

  deinit { close() }

  package func open() throws(OutletError) -> Bool {
    close()
    if library == nil { library = try LSLLibrary() }
    guard let library else { return false }
    for stream in LSLStream.allCases where stream != .ecg { try add(stream, library) }
    return true
  }

  private func add(_ stream: LSLStream, _ library: LSLLibrary) throws(OutletError) {
    guard let outlet = unsafe create(stream, library) else {
      throw OutletError(
        Phrase("cannot create the stream \(name) \(stream.rawValue) of the Lab Streaming Layer"))
    }
    unsafe outlets[stream] = outlet
  }

  package func send(_ sample: LSLSample) throws(OutletError) -> Delivery {
    if sample.stream == .ecg, let library, unsafe outlets[.ecg] == nil { try add(.ecg, library) }
    guard let library, let outlet = unsafe outlets[sample.stream] else {
      throw OutletError(Phrase("the stream \(sample.stream.rawValue) is closed"))
    }
    // Only the age of the sample is converted, because the clock of LSL excludes suspended time.
    let time = library.localClock() - Double(SystemClock.boot - sample.time) / 1e9
    let result: CInt
    switch sample.content {
    case .numbers(let numbers): unsafe result = library.pushNumbers(outlet, numbers, time)
    case .text(let text):
      unsafe result = text.withCString { text in
        var texts: [UnsafePointer<CChar>?] = unsafe [text]
        return unsafe library.pushText(outlet, &texts, time)
      }
    }
    return result == 0
      ? .delivered : .dropped(OutletError(Phrase("liblsl rejected a sample (error \(result))")))
  }

  /// liblsl sends samples on its threads and has no function that waits for them.
  package func flush() -> Int {
    guard let library, unsafe outlets.values.contains(where: { unsafe library.hasConsumers($0) != 0 }) else {
      return 0
    }
    usleep(500_000)
    return 0
  }

  package func close() {
    guard let library else { return }
    for stream in LSLStream.allCases {
      if let outlet = unsafe outlets.removeValue(forKey: stream) { unsafe library.destroyOutlet(outlet) }
    }
  }

  private func create(_ stream: LSLStream, _ library: LSLLibrary) -> OpaquePointer? {
    let channels = stream.channels
    let format = channels.isEmpty ? Format.text : .double
    let info = unsafe library.createInfo(
      "\(name) \(stream.rawValue)", stream.rawValue, CInt(max(1, channels.count)), 0, format.rawValue,
      "stressmon_\(identity.id)_\(stream.rawValue)")
    guard let info = unsafe info else { return nil }
    defer { unsafe library.destroyInfo(info) }
    let description = unsafe library.description(info)
    _ = unsafe library.appendValue(description, "manufacturer", "stressmon")
    let list = unsafe library.append(description, "channels")
    for channel in channels {
      let element = unsafe library.append(list, "channel")
      _ = unsafe library.appendValue(element, "label", channel.label)
      _ = unsafe library.appendValue(element, "unit", channel.unit)
      _ = unsafe library.appendValue(element, "type", channel.type)
    }
    return unsafe library.createOutlet(info, 0, 360)
  }
}
