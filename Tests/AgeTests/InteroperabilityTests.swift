import Age
import Glibc
import SystemPackage
import TestSupport
import Testing

/// The other implementations: Debian's age, and pyrage in the environment of Tests/Oracles.
private enum Oracle {
  static let age = ["/usr/bin/age", "/usr/local/bin/age"].first { (path: String) in access(path, X_OK) == 0 }
  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Oracles"
  static let python = "\(folder)/.cache/bin/python"
  static let script = "\(folder)/age_oracle.py"
  static let hasPyrage = (try? run(python, ["-c", "import pyrage"])) == 0

  /// The exit status.
  static func run(_ program: String, _ arguments: [String]) throws -> CInt? {
    let process = try Program(program, arguments)
    guard case .exited(let code) = try process.waitForExit() else { return nil }
    return code
  }
}

private let sizes = [0, 1, 1000, 65535, 65536, 65537, 131_072, 300_001]
private let secret = "correct horse battery staple"

@Suite(.serialized) struct InteroperabilityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(.enabled(if: Oracle.age != nil, "needs age: apt-get install age"), arguments: sizes, [false, true])
  func ageDecrypts(_ count: Int, isArmored: Bool) throws {
    let age = try #require(Oracle.age)
    let plaintext = randomBytes(count)
    try write(try AgeFile.encrypt(plaintext, to: Keys.recipients, isArmored: isArmored), "sealed")
    try write(Array(IdentityFile.encode(Keys.identity).utf8), "key")
    let arguments = ["-d", "-i", folder.file("key"), "-o", folder.file("opened"), folder.file("sealed")]
    #expect(try Oracle.run(age, arguments) == 0)
    // age creates no file for an empty plaintext.
    #expect(try (count == 0 ? [] : read("opened")) == plaintext)
  }

  @Test(.enabled(if: Oracle.age != nil, "needs age: apt-get install age"), arguments: sizes, [false, true])
  func ageEncrypts(_ count: Int, isArmored: Bool) throws {
    let age = try #require(Oracle.age)
    let plaintext = randomBytes(count)
    try write(plaintext, "plain")
    let recipients = [Keys.other, Keys.identity].flatMap { ["-r", $0.recipient.description] }
    let arguments =
      recipients + (isArmored ? ["-a"] : []) + ["-o", folder.file("sealed"), folder.file("plain")]
    #expect(try Oracle.run(age, arguments) == 0)
    #expect(try AgeFile.decrypt(read("sealed"), with: Keys.identities) == plaintext)
  }

  @Test(.enabled(if: Oracle.age != nil && Oracle.hasPyrage, "needs age and make oracles"))
  func agePassphrase() throws {
    let plaintext = randomBytes(1000)
    let identities = AgeIdentities.passphrase(try Passphrase(secret))
    try write(try AgeFile.encrypt(plaintext, to: .passphrase(Passphrase(secret), workFactor: 12)), "sealed")
    #expect(try oracle("age", "decrypt", "passphrase", secret, "sealed", "opened") == 0)
    #expect(try read("opened") == plaintext)
    #expect(try oracle("age", "encrypt", "passphrase", secret, "opened", "again") == 0)
    #expect(try AgeFile.decrypt(read("again"), with: identities) == plaintext)
  }

  @Test(.enabled(if: Oracle.hasPyrage, "needs pyrage: make oracles"), arguments: sizes)
  func pyrageWithKeys(_ count: Int) throws {
    let plaintext = randomBytes(count)
    let (key, recipient) = (Keys.identity.secretText, Keys.identity.recipient.description)
    try write(try AgeFile.encrypt(plaintext, to: Keys.recipients), "sealed")
    #expect(try oracle("pyrage", "decrypt", "key", key, "sealed", "opened") == 0)
    #expect(try read("opened") == plaintext)
    #expect(try oracle("pyrage", "encrypt", "key", recipient, "opened", "again") == 0)
    #expect(try AgeFile.decrypt(read("again"), with: Keys.identities) == plaintext)
  }

  @Test(.enabled(if: Oracle.hasPyrage, "needs pyrage: make oracles")) func pyragePassphrase() throws {
    let plaintext = randomBytes(1000)
    try write(try AgeFile.encrypt(plaintext, to: .passphrase(Passphrase(secret), workFactor: 12)), "sealed")
    #expect(try oracle("pyrage", "decrypt", "passphrase", secret, "sealed", "opened") == 0)
    #expect(try read("opened") == plaintext)
    #expect(try oracle("pyrage", "encrypt", "passphrase", secret, "opened", "again") == 0)
    // pyrage chooses the work factor by the speed of the machine.
    let identities = AgeIdentities.passphrase(try Passphrase(secret), workFactorLimit: 22)
    #expect(try AgeFile.decrypt(read("again"), with: identities) == plaintext)
  }

  @Test(.enabled(if: Oracle.hasPyrage, "needs pyrage: make oracles")) func pyrageRejectsWhatIsDamaged() throws
  {
    var file = try AgeFile.encrypt([1, 2, 3], to: Keys.recipients)
    file[file.count - 1] ^= 1
    try write(file, "sealed")
    #expect(try oracle("pyrage", "decrypt", "key", Keys.identity.secretText, "sealed", "opened") == 1)
  }

  private func oracle(
    _ program: String, _ action: String, _ kind: String, _ secret: String, _ input: String, _ output: String
  ) throws -> CInt? {
    try Oracle.run(
      Oracle.python, [Oracle.script, program, action, kind, secret, folder.file(input), folder.file(output)])
  }

  private func read(_ name: String) throws -> [UInt8] { try contents(of: folder.file(name)) }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    let file = try FileDescriptor.open(
      FilePath(folder.file(name)), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }
}
