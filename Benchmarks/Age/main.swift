import Age
import Glibc
import SystemPackage
import TestSupport

// AgeBenchmark encrypt RECIPIENT | decrypt IDENTITY-FILE: stdin to stdout. Prints the peak memory to stderr.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, ["encrypt", "decrypt"].contains(arguments[0]) else {
  print("AgeBenchmark encrypt RECIPIENT | decrypt IDENTITY-FILE")
  exit(64)
}
do {
  if arguments[0] == "encrypt" {
    let recipient = try X25519Recipient(arguments[1])
    try AgeFile.encrypt(from: .standardInput, to: .standardOutput, recipients: .keys([recipient]))
  } else {
    let identities = try IdentityFile.decode(contents(of: arguments[1]))
    try AgeFile.decrypt(from: .standardInput, to: .standardOutput, identities: .keys(identities))
  }
} catch {
  print(error)
  exit(1)
}
var usage = rusage()
getrusage(RUSAGE_SELF.rawValue, &usage)
_ = try? FileDescriptor.standardError.writeAll("peak memory: \(usage.ru_maxrss) KiB\n".utf8)
