import Glibc

/// Writes a line to standard error. Ignores errors.
package func printDiagnostic(_ text: String) { writeDiagnostic(text + "\n") }

/// Writes `text` to standard error without a line feed. Ignores errors.
func writeDiagnostic(_ text: String) {
  var text = text
  text.withUTF8 { _ = unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
