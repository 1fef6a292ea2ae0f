// Prints the figures of docs/design/breathing.md: swift run -c release BreathingFigures
//
// The variation between real rests is printed only if STRESSMON_TEST_DATA is set.

import TestSupport

try printPowerOfComparison()
try printResonanceAccuracy()
if SharedData.isAvailable {
  for seconds in [60, 300] { try printRestVariation(seconds: seconds) }
}
