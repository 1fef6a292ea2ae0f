// Stress
