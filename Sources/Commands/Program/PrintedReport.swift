import Terminal

/// What a command tells: to programs, and to people on a terminal of some width.
protocol PrintedReport {
  var json: [UInt8] { get }

  /// - Parameter width: In columns; nil where nobody knows.
  func text(width: Int?) -> String
}

extension StandardOutput {
  func write(_ report: some PrintedReport, asJSON: Bool) throws {
    try asJSON ? write(report.json) : write(report.text(width: width))
  }
}
