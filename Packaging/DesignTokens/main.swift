/// Prints Sources/Design/Tokens.swift, generated from the token file in the argument (`make tokens`), or with the second argument
/// `icon` the icon of the program.

import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 2 || arguments.count == 3 && arguments[2] == "icon",
  let json = FileManager.default.contents(atPath: CommandLine.arguments[1])
else {
  FileHandle.standardError.write(Data("usage: design-tokens TOKENS.json [icon]\n".utf8))
  exit(64)
}
do {
  let source = try TokenSource(json: json)
  print(arguments.count == 3 ? source.icon : source.text, terminator: "")
} catch {
  FileHandle.standardError.write(Data("design-tokens: \(CommandLine.arguments[1]): \(error)\n".utf8))
  exit(1)
}
