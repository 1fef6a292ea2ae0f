// HRV
