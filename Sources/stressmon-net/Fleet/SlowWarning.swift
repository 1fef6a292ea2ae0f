import Dispatch
import Fleet
import Localization

/// Runs `body`, and prints a warning if it takes more than 10 s.
func warningIfSlow<Value>(_ body: () throws(FleetError) -> Value) throws(FleetError) -> Value {
  let warning = DispatchWorkItem {
    printMessage(Phrase("still waiting for PostgreSQL; check its standby and its locks"))
  }
  DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: warning)
  defer { warning.cancel() }
  return try body()
}
