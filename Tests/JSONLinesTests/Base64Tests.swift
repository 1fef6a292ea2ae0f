import Testing

@testable import JSONLines

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func textsAreDecodedWithAndWithoutPadding(plain: String, text: String) {
    let unpadded = String(text.prefix { $0 != "=" })
    #expect(Base64.encode(plain.utf8) == text)
    #expect(Base64.encode(plain.utf8, padding: false) == unpadded)
    #expect(Base64.decode(text.utf8) == Array(plain.utf8))
    #expect(Base64.decode(unpadded.utf8, padding: false) == Array(plain.utf8))
    #expect(Base64.decode(Array("key \(text)".utf8).dropFirst(4)) == Array(plain.utf8))
  }

  @Test func allDigitsAreUsed() {
    let bytes = Array(UInt8.min ... .max)
    let text = Base64.encode(bytes)
    #expect(text.contains("+") && text.contains("/"))
    #expect(Base64.decode(text.utf8) == bytes)
  }

  /// Spare bits that are set, missing or surplus padding, other characters, and a single digit.
  @Test(arguments: [
    "Zh==", "Zm9=", "Zg", "Zg=", "Zm9v====", "Zg==Zg==", "Z===", "====", "=Zg=", "Zm9v\n", " Zm9v", "Zm9_",
    "Zm9-",
    "Z", "Zm9vY", "Zm\u{E9}v",
  ])
  func otherFormsAreRejected(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
    // Without padding, this one is complete.
    if text != "Zg" { #expect(Base64.decode(text.utf8, padding: false) == nil) }
  }
}
