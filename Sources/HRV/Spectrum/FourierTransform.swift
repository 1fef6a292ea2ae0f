import RealModule

/// The discrete Fourier transform of two complex series at once; the length is a power of two.
///
/// Each sample contains both series: (real, imaginary) of the first, (real, imaginary) of the second. The
/// exponent is positive: F(k) = sum over n of f(n) e^(+2 pi i k n / count). Radix 2, decimation in time
/// (Cooley & Tukey 1965).
struct FourierTransform: Sendable {
  typealias Pair = SIMD4<Double>

  let count: Int
  /// Twiddle factors (cosine, sine) of the first half turn, in `count` / 2 steps.
  private let turns: [SIMD2<Double>]
  private let reversed: [Int32]

  /// Creates a transform.
  /// - Parameter count: a power of two, at least 2.
  init(count: Int) {
    precondition(count >= 2 && count & (count - 1) == 0 && count <= 1 << 30)
    self.count = count
    turns = (0..<count / 2).map { step in
      let angle = 2 * Double.pi * Double(step) / Double(count)
      return SIMD2(.cos(angle), .sin(angle))
    }
    let unused = Int32.bitWidth - count.trailingZeroBitCount
    reversed = (0..<Int32(count)).map { index in
      var bits = UInt32(bitPattern: index)
      var mirror: UInt32 = 0
      for _ in 0..<32 {
        mirror = mirror << 1 | bits & 1
        bits >>= 1
      }
      return Int32(bitPattern: mirror >> UInt32(unused))
    }
  }

  /// Returns the smallest power of two that is at least `count`; at least 2.
  static func length(atLeast count: Int) -> Int {
    var length = 2
    while length < count { length *= 2 }
    return length
  }

  /// Transforms `samples` in place.
  /// - Complexity: O(n log n); no allocation.
  func callAsFunction(_ samples: inout [Pair]) {
    precondition(samples.count == count)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe reorder(samples)
      var half = 1
      while half < count {
        unsafe combine(samples, half)
        half *= 2
      }
    }
  }

  private func reorder(_ samples: UnsafeMutableBufferPointer<Pair>) {
    for (index, mirror) in reversed.enumerated() where index < mirror {
      unsafe samples.swapAt(index, Int(mirror))
    }
  }

  /// Performs one pass of butterflies over blocks of two halves.
  private func combine(_ samples: UnsafeMutableBufferPointer<Pair>, _ half: Int) {
    let stride = count / (2 * half)
    unsafe turns.withUnsafeBufferPointer { turns in
      for block in Swift.stride(from: 0, to: count, by: 2 * half) {
        for index in 0..<half {
          let turned = unsafe Self.rotate(samples[block + half + index], by: turns[index * stride])
          let upper = unsafe samples[block + index]
          unsafe samples[block + index] = upper + turned
          unsafe samples[block + half + index] = upper - turned
        }
      }
    }
  }

  /// Multiplies both complex numbers of `pair` by (cosine + i sine).
  @inline(__always)
  static func rotate(_ pair: Pair, by turn: SIMD2<Double>) -> Pair {
    let swapped = Pair(pair.y, pair.x, pair.w, pair.z)
    return pair * turn.x + swapped * Pair(-turn.y, turn.y, -turn.y, turn.y)
  }
}
