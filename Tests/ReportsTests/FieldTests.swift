import HeartRate
import Testing

@testable import Reports

@Suite struct FieldTests {
  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\r\nb", "\"a\nb\""),
    ("\"\u{301}", "\"\"\"\u{301}\""), ("", ""), ("Zoë", "Zoë"),
  ])
  func textIsQuotedByRFC4180(text: String, csv: String) {
    #expect(FieldValue.text(text).csv == csv)
  }

  @Test func absentAndNonFiniteValuesAreEmpty() {
    #expect(FieldValue.text(nil).csv == "" && FieldValue.integer(nil).csv == "")
    for number in [nil, Double.nan, .infinity] { #expect(FieldValue.number(number).csv == "") }
    #expect(FieldValue.number(0.1).csv == "0.1" && FieldValue.integer(-3).csv == "-3")
    #expect(FieldValue.seconds(SessionTime(ticks: 40_000_000)).csv == "0.5")
  }
}
