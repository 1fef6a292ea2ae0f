import Localization
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("anan", "anna"), ("Anna", "anna"), ("ana", "anna"), ("measrue", "measure"), ("bne", "ben"),
    // The beginning of a name.
    ("mea", "measure"), ("ME", "measure"),
  ])
  func theNearestNameIsSuggested(word: String, name: String) {
    #expect(NearestName.of(word, among: ["ben", "anna", "measure"]) == name)
  }

  @Test(arguments: ["", "zoe", "m", "stop", "measurement"])
  func dissimilarNamesAreNotSuggested(word: String) {
    #expect(NearestName.of(word, among: ["ben", "anna", "measure", "show"]) == nil)
  }
}
