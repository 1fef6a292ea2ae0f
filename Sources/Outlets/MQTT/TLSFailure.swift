import Glibc
import Localization

/// The reason why a connection with TLS failed, and what to change.
///
/// libmosquitto returns the same code for all of them. It logs the errors of OpenSSL, whose texts have been stable since
/// version 1.0, and that of a host name that does not match.
struct TLSFailure: Equatable, Translatable {
  let message: Phrase

  /// The message in English.
  var description: String { Language.english.text(message) }

  /// - Parameters:
  ///   - errors: what libmosquitto logged.
  ///   - systemError: `errno` of the operation. libmosquitto sets EPROTO if the broker ends the handshake and OpenSSL gives no
  ///     reason.
  /// - Returns: The reason, if libmosquitto logged an error or the handshake failed.
  init?(_ errors: [String], _ options: MQTTOptions, systemError: CInt? = nil) {
    guard let text = errors.last else {
      guard systemError == EPROTO else { return nil }
      let reason = unsafe String(cString: strerror(EPROTO))
      message = Self(refusedWith: options, reason: reason).message
      return
    }
    let known = Self.causes.first { cause in errors.contains { $0.contains(cause.text) } }
    message = known?.reason(options) ?? Phrase("\(text); check host, port and certificates")
  }

  /// The broker closed the connection during the handshake or after it. Its reason is lost if the connection is reset before
  /// it is read.
  init(refusedWith options: MQTTOptions, reason: String? = nil) {
    let advice =
      options.certificate == nil
      ? Phrase("if it requires a certificate of this client, add cert=FILE and key=FILE")
      : Phrase("check cert=FILE, key=FILE and the authority that the broker trusts")
    let reason = reason.map { " (\($0))" } ?? ""
    message = Phrase("the broker refuses the connection with TLS\(reason); \(advice)")
  }

  private struct Cause {
    let text: String
    let reason: (MQTTOptions) -> Phrase

    init(_ text: String, _ reason: @escaping (MQTTOptions) -> Phrase) {
      (self.text, self.reason) = (text, reason)
    }
  }

  /// In the order in which they are searched for: a mismatch of the name also fails the verification.
  private static var causes: [Cause] {
    [
      Cause("host name verification failed") {
        Phrase(
          """
          the certificate of the broker is not issued for '\($0.host)'; write the host as in the certificate
          """)
      },
      Cause("certificate verify failed") { options in
        guard let authorities = options.authorities else {
          return Phrase(
            """
            the certificate of the broker has expired, or its issuer is not among the trusted authorities (those of the system); \
            add ca=FILE with the certificate of the authority that issued it
            """)
        }
        return Phrase(
          """
          the certificate of the broker has expired, or its issuer is not among the trusted authorities (those in \(authorities)); \
          correct ca=FILE with the certificate of the authority that issued it
          """)
      },
      Cause("wrong version number") {
        Phrase(
          """
          the broker does not use TLS at port \($0.port); use the port for TLS (8883 by default), or mqtt:// without encryption
          """)
      },
      Cause("unexpected eof") {
        Phrase(
          """
          the broker ended the connection; if it does not use TLS at port \($0.port), use the port for TLS (8883 by default), or \
          mqtt:// without encryption
          """)
      },
      Cause("alert certificate required") { _ in
        Phrase("the broker requires a certificate of this client; add cert=FILE and key=FILE")
      },
      Cause("alert") { Self(refusedWith: $0).message },
      Cause("Unable to load CA certificates") {
        Phrase("\($0.authorities ?? "/etc/ssl/certs") contains no certificate in PEM format; correct ca=FILE")
      },
      Cause("Unable to load client certificate") {
        Phrase("\($0.certificate ?? "") contains no certificate in PEM format; correct cert=FILE")
      },
      Cause("Unable to load client key") {
        Phrase("\($0.key ?? "") contains no key in PEM format; correct key=FILE")
      },
      Cause("Client certificate/key are inconsistent") {
        Phrase(
          """
          the key \($0.key ?? "") does not belong to the certificate \($0.certificate ?? ""); correct cert=FILE and key=FILE
          """)
      },
    ]
  }

  /// - Throws: the first file that cannot be read; libmosquitto names none.
  static func checkFiles(of options: MQTTOptions) throws(OutletError) {
    for (option, path) in options.certificateFiles where unsafe access(path, R_OK) != 0 {
      throw OutletError(
        Phrase(
          """
          cannot read \(path): \(unsafe String(cString: strerror(errno))); correct \(option)=FILE in the target
          """)
      )
    }
  }
}
