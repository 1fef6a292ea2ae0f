import HeartRate
import TestSupport
import Testing

@testable import Formats

/// RR intervals in the columns of a table, or in one line.
@Suite struct RRTableTests {
  private func read(_ text: String, _ options: RRText.Options = .init()) throws -> RRText {
    try RRText(Array(text.utf8), options: options)
  }

  private func milliseconds(_ text: String, _ options: RRText.Options = .init()) throws -> [Double] {
    try read(text, options).intervals.map(\.milliseconds)
  }

  @Test(arguments: [
    "1,812\n2,790\n3,805\n4,811\n", "0,812\n1,790\n2,805\n3,811\n", "index,RR\n1,812\n2,790\n3,805\n4,811",
    "1;812\n2;790\n3;805\n4;811\n", "1\t812\n2\t790\n3\t805\n4\t811\n", "1 812\n2 790\n3 805\n4 811\n",
    "\"index\",\"RR\"\r\n\"1\",\"812\"\r\n\"2\",\"790\"\r\n\"3\",\"805\"\r\n\"4\",\"811\"\r\n",
    "t;RR;HR\n0,8;812,0;73\n1,6;790,0;75\n2,4;805,0;74\n3,2;811,0;73\n",
    "\u{FEFF}time,IBI (s)\n0.8,0.812\n1.6,0.790\n2.4,0.805\n3.2,0.811\n",
    "subject,rr_ms,nn_ms\n1,812,812\n1,790,790\n1,805,805\n1,811,811\n",
    "812\n\"790\"\n805\n811\n", "\"812\"\n\"790\"\n\"805\"\n\"811\"\n",
    "812 790 805 811", "812,790,805,811\n", "812, 790, 805, 811", "812;790;805;811", "812\t790\t805\t811\n",
    "0,812 0,790 0,805 0,811", "RR (ms)\n812 790 805 811\n",
    "# made by hand\nnr, RR\n\n1, 812\n2, 790\n# pause\n3, 805\n4, 811\n",
    "812 ms\n790 ms\n805 ms\n811 ms\n",
  ])
  func everyLayoutGivesTheSameIntervals(text: String) throws {
    #expect(try milliseconds(text) == [812, 790, 805, 811])
  }

  @Test func cumulativeTimesAreNotIntervals() throws {
    #expect(try milliseconds("812,812\n1602,790\n2407,805\n3218,811\n") == [812, 790, 805, 811])
    #expect(try milliseconds("0.812 812\n1.602 790\n2.407 805\n3.218 811\n") == [812, 790, 805, 811])
  }

  @Test(arguments: [
    ("0,812\n0,790\n1,005\n0,811\n", [812, 790, 1005, 811]),
    ("812,3\n815,1\n819,2\n", [812.3, 815.1, 819.2]),
    ("812,3\n790\n801,25", [812.3, 790, 801.25]), ("1,812\n1,790\n", [1812, 1790]), ("812,805", [812.805]),
    ("RR (ms)\n812,31\n790,22\n", [812.31, 790.22]),
  ])
  func aDecimalCommaIsNotASeparator(text: String, expected: [Double]) throws {
    #expect(try milliseconds(text) == expected)
    #expect(try read(text).column == nil)
  }

  /// The first lines alone could be decimal numbers: 1.801 s, 1.802 s.
  @Test func theLayoutIsDetectedFromAllLines() throws {
    let minutes = (1...500).map { "\(1 + $0 / 70),\(800 + $0 % 37)\n" }.joined()
    #expect(try milliseconds(minutes).prefix(3) == [801, 802, 803])
    let counted = (1...500).map { "\($0),\(800 + $0 % 37)\n" }.joined()
    #expect(try milliseconds(counted).prefix(3) == [801, 802, 803])
  }

  @Test func theColumnIsReportedByNameOrNumber() throws {
    #expect(try read("index,RR\n1,812\n2,790\n").column == "RR")
    #expect(try read("1;812\n2;790\n3;800\n").column == "2")
    #expect(try read("812 790 805").column == nil)
  }

  @Test func aColumnCanBeChosenByNameOrNumber() throws {
    let text = "index;left;right\n1;812;912\n2;790;890\n3;805;905\n"
    #expect(try milliseconds(text, .init(column: "right")) == [912, 890, 905])
    #expect(try milliseconds(text, .init(column: "RIGHT")) == [912, 890, 905])
    #expect(try milliseconds(text, .init(column: "2")) == [812, 790, 805])
    #expect(try milliseconds("1,812\n1,790\n1,805\n", .init(column: "2")) == [812, 790, 805])
    #expect(try milliseconds("812\n790\n", .init(column: "1")) == [812, 790])
  }

  @Test func aTableWithoutAUniqueIntervalColumnIsRejectedWithItsColumns() {
    let two = #expect(throws: RRText.BadLine.self) { try read("id;a;b\n1;812;912\n2;790;890\n3;805;905\n") }
    #expect(two?.reason == .columns(["id", "a", "b"], plausible: 2))
    let none = #expect(throws: RRText.BadLine.self) { try read("time,hr\n1,72\n2,73\n3,71\n") }
    #expect(none?.reason == .columns(["time", "hr"], plausible: 0))
    for (text, column) in [("a;b\n1;812\n2;790\n", "c"), ("a;b\n1;812\n2;790\n", "3"), ("812\n790\n", "2")] {
      let missing = #expect(throws: RRText.BadLine.self) { try read(text, .init(column: column)) }
      #expect(missing.map { if case .noColumn(column, _) = $0.reason { true } else { false } } == true)
    }
  }

  @Test func aRowWithoutAnIntervalIsABadLine() throws {
    let text = "index,RR\n1,812\n2,\n3,805\n4,nan\n5,811\n"
    #expect(throws: RRText.BadLine(line: 3, text: "2,")) { try read(text) }
    let lenient = try read(text, .init(skipsBadLines: true))
    #expect(lenient.intervals.map(\.milliseconds) == [812, 805, 811] && lenient.skippedLines == 2)
  }

  @Test func theUnitIsThatOfTheHeadingUnlessAnOptionSetsIt() throws {
    let text = "n;RR [s]\n1;0.812\n2;12.5\n3;11.2\n"
    #expect(try milliseconds(text) == [812, 12_500, 11_200])
    #expect(try milliseconds("n;RR\n1;812\n2;790\n", .init(unit: .seconds)) == [812_000, 790_000])
  }

  @Test func aLineWithSeveralFieldsInAPlainListIsABadLine() {
    #expect(throws: RRText.BadLine(line: 3, text: "790 805")) { try read("812\n811\n790 805\n799\n") }
  }
}
