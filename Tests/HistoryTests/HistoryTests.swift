// HistoryTests
