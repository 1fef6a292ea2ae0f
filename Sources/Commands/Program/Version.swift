/// The version of the program; CHANGELOG.md says what each brought.
let programVersion = "0.1.0"
