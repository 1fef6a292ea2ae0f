import CLibFuzzer
import Glibc

// fuzz TARGET [options of libFuzzer] CORPUS...

/// The target that the first argument names.
enum Chosen {
  static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.init(rawValue:))
}

/// What libFuzzer calls with each input; also the name under which its own main would look for it.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  if let defect = Chosen.target?.defect(Array(UnsafeBufferPointer(start: start, count: count))) {
    print(defect)
    fflush(nil)
    abort()
  }
  return 0
}

guard Chosen.target != nil else {
  print("fuzz TARGET, one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
  exit(2)
}
var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
exit(LLVMFuzzerRunDriver(&count, &arguments, fuzzOneInput))
