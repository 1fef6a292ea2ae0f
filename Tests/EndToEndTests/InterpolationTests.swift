import Glibc
import TestSupport
import Testing

/// The compiler rejects values without a text form in strings (module Interpolation, Package.swift).
@Suite(.ownThreads) struct InterpolationTests {
  /// Interpolated expressions, and whether they compile.
  @Test(arguments: [
    (#""\(Unprintable())""#, false), (#""\([Unprintable()])""#, false), (#""\(["a"])""#, false),
    (#""\(Set([1]))""#, false), (#""\(["a": 1])""#, false), (#""\(Plain.one)""#, false),
    (#""\(Printable()) \(1) \(1.5) \("a") \("a".prefix(1)) \("a" as Character)""#, true),
    (#""\(String(describing: Unprintable()))""#, true),
  ])
  func onlyValuesWithATextFormAreInterpolated(expression: String, compiles: Bool) throws {
    let home = try Home()
    let source = """
      struct Unprintable {}
      enum Plain { case one }
      struct Printable: CustomStringConvertible { let description = "text" }
      let text = \(expression)
      """
    let script = """
      cat > main.swift
      exec ${SWIFT:-swift}c -typecheck -swift-version 6 -warnings-as-errors -I "$modules" \
        -Xfrontend -import-module -Xfrontend Interpolation main.swift
      """
    let compilation = try home.start(
      "/bin/bash", ["-c", "cd \"$HOME\"; " + script], with: ["modules": Program.besideTheTests("Modules")]
    ).outcome(input: source)
    #expect((compilation.status == .exited(0)) == compiles, "\(compilation.errors)")
    #expect(compilation.errors.contains("has no text form") == !compiles)
  }
}
