internal import Crypto
internal import Platform

extension FleetCode {
  /// The default code of this receiver: `R` and 12 hexadecimal digits.
  ///
  /// Derived from the machine ID by HMAC-SHA256 because the ID itself must not leave the machine (machine-id(5)).
  /// - Throws: ``FleetError`` with the code `usage` if the machine has no ID.
  package static func receiver(machineID path: String = "/etc/machine-id") throws(FleetError) -> FleetCode {
    let bytes = (try? ByteSource(path: path).readAll(limit: 256)).flatMap { $0 } ?? []
    let id = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard id.count == 32 else {
      throw FleetError(.usage, "\(path) contains no machine ID; append receiver=CODE to the target")
    }
    let code = HMAC<SHA256>.authenticationCode(
      for: Array("stressmon receiver".utf8), using: SymmetricKey(data: id))
    guard let code = FleetCode("R" + code.prefix(6).hexadecimal) else {
      preconditionFailure("hexadecimal digits are a code")
    }
    return code
  }
}

extension Sequence<UInt8> {
  /// Two digits for each byte, in lower case.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef")
    return map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
  }
}
