import Dispatch
import Platform
import Subprocess

/// A PNG image, at two pixels per CSS pixel, or a PDF page rendered from an SVG document with system fonts.
///
/// Rendering uses librsvg through its program `rsvg-convert`, which is looked up only when an image is
/// requested. Linking the library would load a graphics stack and fonts at every start of the program.
package struct PNGPicture: Sendable {
  /// Content of the file.
  package let bytes: [UInt8]

  /// The format of the file.
  package enum Format: String, Sendable {
    case png, pdf

    /// The first bytes: the PNG signature (ISO/IEC 15948, 5.2), or that of PDF (ISO 32000-1, 7.5.2).
    fileprivate var signature: [UInt8] {
      self == .png ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] : Array("%PDF-".utf8)
    }

    fileprivate var scale: [String] { self == .png ? ["--zoom", "2"] : [] }
  }

  /// Limits of the program's output and error output in bytes.
  private static let (imageLimit, messageLimit) = (64 << 20, 1 << 16)

  /// Renders an SVG document.
  /// - Throws: ``PNGError`` if the program is not installed or produces no image.
  /// - Parameter format: `png`, or `pdf`, which keeps text and lines and has no pixels.
  package init(svg: String, format: Format = .png) async throws(PNGError) {
    do {
      let result = try await run(
        .name("rsvg-convert"), arguments: Arguments(["--format", format.rawValue] + format.scale),
        input: .array(Array(svg.utf8)),
        output: .bytes(limit: Self.imageLimit), error: .string(limit: Self.messageLimit))
      bytes = result.standardOutput
      guard result.terminationStatus.isSuccess, bytes.starts(with: format.signature) else {
        throw PNGError.notDrawn(String(result.standardError.prefix(500)))
      }
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw .noProgram
    } catch let error as PNGError {
      throw error
    } catch {
      throw .notDrawn(String(describing: error))
    }
  }

  /// Renders an SVG document and blocks until it is complete.
  ///
  /// For commands that otherwise need no concurrency runtime, whose start costs about 1 ms.
  @available(*, noasync)
  package static func rendered(svg: String, format: Format = .png) throws(PNGError) -> PNGPicture {
    let rendering = Rendering()
    Task.detached {
      do throws(PNGError) {
        rendering.finish(.success(try await PNGPicture(svg: svg, format: format)))
      } catch {
        rendering.finish(.failure(error))
      }
    }
    return try rendering.wait().get()
  }
}

/// The reason why no image was rendered.
package enum PNGError: Error, Equatable, Sendable, CustomStringConvertible {
  case noProgram
  /// Rendering failed, with the program's error output.
  case notDrawn(String)

  package var description: String {
    switch self {
    case .noProgram:
      "PNG and PDF require the program rsvg-convert, which is not on PATH. Install it (apt install librsvg2-bin), or choose SVG"
    case .notDrawn(let reason):
      "rsvg-convert produced no picture"
        + (reason.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? "") + ". Choose SVG"
    }
  }
}

/// The result of a rendering on another thread.
private final class Rendering: Sendable {
  private let result = Locked<Result<PNGPicture, PNGError>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  func finish(_ result: Result<PNGPicture, PNGError>) {
    self.result.withLock { $0 = result }
    done.signal()
  }

  func wait() -> Result<PNGPicture, PNGError> {
    done.wait()
    return result.withLock { $0 } ?? .failure(.notDrawn("no result"))
  }
}
