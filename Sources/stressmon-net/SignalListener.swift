import Dispatch
import Fleet
import Glibc
import Localization
import Platform
import SystemPackage

/// Receives signals, and ends a wait of `poll` after the first one.
struct SignalListener {
  private let arrival = WakeUpPipe()
  private let number: Locked<Int32?>
  private let sources: [any DispatchSourceSignal]

  /// - Parameter endsAtSecond: Whether a second signal ends the process at once.
  init(_ signals: [Int32], endsAtSecond: Bool = true) {
    let number = Locked<Int32?>(nil)
    self.number = number
    sources = signals.map { [arrival] signal in
      Glibc.signal(signal, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler {
        let isFirst = number.withLock { number in
          defer { number = number ?? signal }
          return number == nil
        }
        if isFirst {
          arrival.end()
        } else if endsAtSecond {
          endProcess(with: signal)
        }
      }
      source.activate()
      return source
    }
  }

  /// Reports a hang-up after the first signal.
  var descriptor: CInt { arrival.readEnd }

  /// The first signal, once one has arrived.
  var received: Int32? { number.withLock(\.self) }

  /// Waits for a signal. Returns false after the time.
  func wait(milliseconds: CInt) -> Bool { arrival.wait(milliseconds: milliseconds) }

  /// Runs `program` with the standard streams of this process, and forwards the first signal to it.
  /// - Returns: The exit code; 128 and the number of the signal that ended the program.
  func run(_ program: String, _ arguments: [String]) throws(FleetError) -> Int32 {
    let child: ChildProcess
    do { child = try ChildProcess(program, arguments) } catch {
      throw FleetError(.local, Phrase("cannot run \(program): \(error.description)"))
    }
    var isForwarded = false
    while true {
      if let status = child.status() { return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F }
      if let number = received, !isForwarded {
        kill(child.identifier, number)
        isForwarded = true
      }
      usleep(20_000)
    }
  }
}
