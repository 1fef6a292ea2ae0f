import Localization
import Testing

@testable import Commands

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("anan", "anna"), ("Anna", "anna"), ("ana", "anna"), ("measrue", "measure"), ("bne", "ben"),
  ])
  func theNearestNameIsSuggested(word: String, name: String) {
    #expect(NearestName.of(word, among: ["ben", "anna", "measure"]) == name)
  }

  @Test(arguments: ["", "zoe", "me", "stop", "measurement"])
  func dissimilarNamesAreNotSuggested(word: String) {
    #expect(NearestName.of(word, among: ["ben", "anna", "measure", "show"]) == nil)
  }

  @Test func theErrorNamesTheNearestProfile() {
    let check = ProfileCheck(known: ["me", "Anna B", "ben"])
    #expect(check.unknown("ben") == nil && ProfileCheck(known: []).unknown("ben") == nil)
    #expect(
      check.unknown("anna b")?.description
        == "there is no profile 'anna b'. Did you mean: --profile 'Anna B'")
    #expect(
      check.notice(of: "bne")
        == "stressmon: creating the new profile 'bne'; existing profiles: me, Anna B, ben")
  }
}
