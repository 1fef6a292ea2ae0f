// Strap
