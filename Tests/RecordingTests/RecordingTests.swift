// RecordingTests
