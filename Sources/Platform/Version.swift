/// The version of the program, as `--version`, recordings and the history contain it. CHANGELOG.md lists the versions.
package let programVersion = "0.1.0"
