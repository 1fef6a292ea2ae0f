/// Prints Sources/Design/Tokens.swift, generated from the token file in the argument (`make tokens`).

import Foundation

guard CommandLine.arguments.count == 2,
  let json = FileManager.default.contents(atPath: CommandLine.arguments[1])
else {
  FileHandle.standardError.write(Data("usage: design-tokens TOKENS.json\n".utf8))
  exit(64)
}
do {
  print(try TokenSource(json: json).text, terminator: "")
} catch {
  FileHandle.standardError.write(Data("design-tokens: \(CommandLine.arguments[1]): \(error)\n".utf8))
  exit(1)
}
