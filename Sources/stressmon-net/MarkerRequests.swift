import HeartRate
import LiveFeed
import Localization
import NetworkCommands
import Outlets
import Platform

/// Marks all running sessions with the markers of a stream of the Lab Streaming Layer.
struct MarkerRequests {
  private let directory = FeedDirectory(.current)

  func inlet(_ name: String) -> LSLMarkerInlet {
    LSLMarkerInlet(
      name: name, onMarker: mark, onState: { printDiagnostic("stressmon: lsl:\(name): \($0)", .information) })
  }

  @Sendable private func mark(_ text: String, at time: WallTime) {
    let sessions = directory.sessions()
    if sessions.isEmpty { printDiagnostic("stressmon: " + localized("not marked: no session is running")) }
    for session in sessions {
      do throws(FileError) {
        let reply = try directory.send(.event(text: text, time: time), to: session)
        if case .refused(let reason) = reply {
          printDiagnostic("stressmon: " + localized("not marked: \(reason)"))
        }
      } catch {
        printDiagnostic("stressmon: " + localized("not marked: \("\(error)")"))
      }
    }
  }
}
