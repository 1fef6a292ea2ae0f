// StrapTests
