// StressTests
