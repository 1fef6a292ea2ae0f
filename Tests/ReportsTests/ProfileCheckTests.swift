import Testing

@testable import Reports

@Suite struct ProfileCheckTests {
  private let check = ProfileCheck(stored: ["me", "Anna B", "ben"])

  private func failure(_ name: String, _ origin: ProfileCheck.Origin, in check: ProfileCheck) -> String? {
    do throws(ReportError) {
      try check.require(name, from: origin)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func storedProfilesAndTheUsualOneExist() {
    for name in ["me", "Anna B", "ben"] { #expect(failure(name, .option, in: check) == nil) }
    let empty = ProfileCheck(stored: [])
    #expect(failure("me", .option, in: empty) == nil && failure("ben", .option, in: empty) != nil)
    // The usual profile is not stored after it was renamed.
    let renamed = ProfileCheck(stored: ["ben"])
    #expect(failure("me", .option, in: renamed) == nil && failure("me", .argument, in: renamed) != nil)
  }

  @Test func aSettingIsValidUntilSomethingIsStored() {
    #expect(failure("zoe", .setting, in: ProfileCheck(stored: [])) == nil)
    #expect(
      failure("zoe", .setting, in: check)
        == "there is no profile 'zoe', which is the setting 'profile'. Create it with: stressmon profile add zoe; or choose "
        + "another with: stressmon config set profile NAME")
  }

  @Test(
    "The error names the nearest profile and the command that creates one",
    arguments: [
      (
        "anna b", ProfileCheck.Origin.option,
        "Did you mean: --profile 'Anna B'; or create it with: stressmon profile add 'anna b'"
      ),
      ("bne", .value, "Did you mean: ben; or create it with: stressmon profile add bne"),
      ("bne", .argument, "Did you mean: ben"),
      ("zoe", .argument, "List the profiles with: stressmon profile list"),
    ])
  func nearestName(name: String, origin: ProfileCheck.Origin, advice: String) {
    #expect(failure(name, origin, in: check) == "there is no profile '\(name)'. \(advice)")
  }

  @Test func aDissimilarNameIsAnsweredWithTheProfiles() {
    #expect(
      failure("zoe", .option, in: check)
        == "there is no profile 'zoe', only: me, Anna B, ben. Create it with: stressmon profile add zoe")
  }
}
