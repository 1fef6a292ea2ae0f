import FoundationEssentials
import Testing

/// The sources do not depend on the architecture: they are compiled for x86-64 only, so errors on arm64 would not be found.
@Suite struct PortabilityTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    let reason: String
    let pattern: String
    /// Files in which the match is intended.
    var permitted: [String] = []
    var testDescription: String { reason }
  }

  static let rules = [
    Rule(
      reason: "code for one architecture, byte order or width of pointers",
      pattern: #"#(else)?if.*\b(arch|_endian|_pointerBitWidth|_hasAtomicBitWidth)\("#),
    Rule(
      reason: "instructions or macros of one architecture",
      pattern: #"__x86_64__|__i386__|__aarch64__|__SSE|_mm_\w|immintrin|\basm\b.*\("#),
    Rule(reason: "a type that only x86 has", pattern: #"\bFloat80\b"#),
    Rule(reason: "atomics of two words, which not every processor has", pattern: #"\bWordPair\b"#),
    Rule(
      reason: "CChar is signed on x86-64 and unsigned on arm64: use UInt8(truncatingIfNeeded:)",
      pattern: #"\b(UInt8|Int8|CChar)(\.init)?\(bitPattern"#),
    Rule(
      reason: "C strings are pointers to CChar",
      pattern: #"Unsafe(Mutable)?(Buffer)?Pointer<U?Int8>.*(strlen|strcmp|cString)"#),
    // Structures of the kernel, and addresses that /proc prints, have the byte order of the machine.
    Rule(
      reason: "an integer in memory without a byte order",
      pattern: #"^(?!.*(littleEndian|bigEndian):).*\.load(Unaligned)?\(.*as: U?Int(16|32|64)?\.self"#,
      permitted: ["Strap/Doctor/KernelAdapter.swift", "Dashboard/Security/ConnectionOwner.swift"]),
    Rule(
      reason: "an integer written to memory without a byte order",
      pattern: #"storeBytes\(of: (?!.*(littleEndian|bigEndian)).*as: U?Int(16|32|64)?\.self"#,
      permitted: ["Strap/Doctor/KernelAdapter.swift"]),
  ]

  private static let sources = {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources/"
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return names.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".h") || $0.hasSuffix(".c") }
      .map { (name: $0, text: (try? String(contentsOfFile: root + $0, encoding: .utf8)) ?? "") }
  }()

  @Test(arguments: rules) func sourcesDoNotDependOnTheArchitecture(rule: Rule) throws {
    let pattern = try Regex(rule.pattern)
    #expect(Self.sources.count > 500)
    for (name, text) in Self.sources where !rule.permitted.contains(name) {
      for line in text.split(separator: "\n") where line.firstMatch(of: pattern) != nil {
        Issue.record("\(rule.reason): \(name): \(line)")
      }
    }
  }

  @Test(arguments: [
    "#if arch(x86_64)", "#elseif _endian(little)", "let x: Float80 = 1", "Atomic<WordPair>",
    "bytes.map(UInt8.init(bitPattern:))", "let x = bytes.load(as: UInt16.self)", "#include <immintrin.h>",
    "p.storeBytes(of: x, as: UInt32.self)",
  ]) func theRulesFindViolations(line: String) throws {
    #expect(try Self.rules.contains { try line.firstMatch(of: Regex($0.pattern)) != nil })
  }

  @Test(arguments: [
    "UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))",
    "count.load(ordering: .relaxed)", "UInt8(truncatingIfNeeded: $0)",
    "p.storeBytes(of: x.littleEndian, as: UInt32.self)",
  ]) func theRulesPermitPortableCode(line: String) throws {
    #expect(try Self.rules.allSatisfy { try line.firstMatch(of: Regex($0.pattern)) == nil })
  }

  @Test func integersHave64Bits() { #expect(Int.bitWidth == 64) }
}
