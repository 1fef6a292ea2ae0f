import ArgumentParser
import Testing

@testable import Commands

@Suite struct StrapArgumentTests {
  @Test(arguments: [
    ("C0:FF:EE:00:00:01", "C0:FF:EE:00:00:01", nil), ("Polar H10=anna", "Polar H10", "anna"),
    ("a=b=ben", "a=b", "ben"), (" = ", " ", " "),
  ])
  func strapAndProfileAreParsed(text: String, strap: String, profile: String?) throws {
    let argument = try StrapArgument(argument: text)
    #expect(argument.strap == strap && argument.profile?.name == profile)
  }

  @Test(arguments: ["", "=", "A=", "=anna", "A=an\tna", "A=" + String(repeating: "n", count: 65)])
  func argumentsWithoutStrapOrProfileAreRejected(text: String) {
    #expect(throws: ValidationError.self) { try StrapArgument(argument: text) }
  }

  @Test func labelsDistinguishTheStraps() throws {
    let straps = try ["A=anna", "B=ben", "C=ben", "D", "E=me"].map(StrapArgument.init(argument:))
    #expect(straps.labels(profile: "me") == ["anna", "B", "C", "D", "E"])
    #expect(straps.labels(profile: "you") == ["anna", "B", "C", "you", "me"])
  }
}
