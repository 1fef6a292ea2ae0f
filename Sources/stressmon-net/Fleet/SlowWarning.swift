import Dispatch
import Fleet

/// Runs `body`, and prints a warning if it takes more than 10 s.
func warningIfSlow<Value>(_ body: () throws(FleetError) -> Value) throws(FleetError) -> Value {
  let warning = DispatchWorkItem {
    printDiagnostic("stressmon: still waiting for PostgreSQL; check its standby and its locks")
  }
  DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: warning)
  defer { warning.cancel() }
  return try body()
}

/// A number with its noun: "1 day", "2 days".
func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
