import Terminal

/// A report as JSON and as text.
protocol PrintedReport {
  var json: [UInt8] { get }

  /// - Parameter width: columns of the terminal, if standard output is one.
  func text(width: Int?) -> String
}

extension StandardOutput {
  func write(_ report: some PrintedReport, asJSON: Bool) throws {
    try asJSON ? write(report.json) : write(report.text(width: width))
  }
}
