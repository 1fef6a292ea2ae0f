import Dispatch
package import HeartRate
package import Localization
import Platform

/// Receives the markers of a stream of the Lab Streaming Layer, such as that of PsychoPy, with the times of their sender.
///
/// The stream is found by its name in the network, and again after it was lost. Numbers are received as text; the channels of a sample
/// are separated by spaces.
package final class LSLMarkerInlet: Sendable {
  private let name: String
  private let onMarker: @Sendable (String, WallTime) -> Void
  private let onState: @Sendable (Phrase) -> Void

  /// - Parameters:
  ///   - name: name of the stream.
  ///   - onMarker: receives the text of each marker and its time by the clock of this machine.
  ///   - onState: receives a message when the stream is found or lost, and why it cannot be received.
  package init(
    name: String, onMarker: @escaping @Sendable (String, WallTime) -> Void,
    onState: @escaping @Sendable (Phrase) -> Void
  ) {
    (self.name, self.onMarker, self.onState) = (name, onMarker, onState)
  }

  /// Receives markers on a separate thread until the process ends.
  package func run() {
    DispatchQueue(label: "stressmon.markers").async { [self] in
      do throws(OutletError) {
        let library = try LSLLibrary()
        while true { receive(library) }
      } catch { onState(error.message) }
    }
  }

  /// Receives the markers of the first stream with the name until it is lost.
  private func receive(_ library: LSLLibrary) {
    var info: OpaquePointer?
    guard unsafe library.resolve(&info, 1, "name", name, 1, 5) > 0, let info = unsafe info else { return }
    let count = max(1, unsafe library.channelCount(info))
    let inlet = unsafe library.createInlet(info, 360, 0, 1)
    unsafe library.destroyInfo(info)
    guard let inlet = unsafe inlet else { return }
    defer { unsafe library.destroyInlet(inlet) }
    onState(Phrase("receiving the markers of the stream \(name)"))
    var error: CInt = 0
    while error >= 0 || error == Self.timeout {
      var texts: [UnsafeMutablePointer<CChar>?] = unsafe Array(repeating: nil, count: Int(count))
      error = 0
      let stamp = unsafe library.pullText(inlet, &texts, count, 1, &error)
      guard stamp > 0 else { continue }
      let words = unsafe texts.compactMap { text -> String? in
        guard let text = unsafe text else { return nil }
        defer { unsafe library.destroyString(text) }
        return unsafe String(cString: text)
      }
      var unknown: CInt = 0
      let correction = unsafe library.timeCorrection(inlet, 2, &unknown)
      let age = library.localClock() - stamp - (unknown == 0 ? correction : 0)
      let ticks = Int64(max(-60, min(60, age)) * Double(RRInterval.ticksPerSecond))
      let text = words.filter { !$0.isEmpty }.joined(separator: " ")
      if !text.isEmpty { onMarker(text, SystemClock.wall.advanced(ticks: -ticks)) }
    }
    onState(Phrase("the stream \(name) was lost"))
  }

  /// `lsl_timeout_error`.
  private static let timeout: CInt = -1
}
