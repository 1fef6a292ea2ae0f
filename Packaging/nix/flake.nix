# Flake for Nix. Untested: its syntax is checked, but no package was built from it.
#
# nixpkgs has no Swift 6.2, so the package contains the programs of the binary archive. `make tarball` writes it; copy it from
# .build/dist next to this file, `git add` it, and type: nix build. Only x86_64-linux was built and tested, not aarch64-linux.
{
  description = "Live heart rate variability and stress from a Bluetooth LE chest strap";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-25.05";

  outputs = { self, nixpkgs }:
    let
      system = "x86_64-linux";
      pkgs = nixpkgs.legacyPackages.${system};
      version = "0.1.0";
      # The programs require libnats.so.3.4: the soname contains the minor version, and nixpkgs has a later one. Nix prints the hash
      # that replaces fakeHash at the first build.
      libnats = pkgs.libnats-c.overrideAttrs (_: rec {
        version = "3.4.1";
        src = pkgs.fetchFromGitHub {
          owner = "nats-io";
          repo = "nats.c";
          rev = "v${version}";
          hash = pkgs.lib.fakeHash;
        };
      });
    in {
      packages.${system}.default = pkgs.stdenv.mkDerivation {
        pname = "stressmon";
        inherit version;
        src = ./. + "/stressmon-${version}-linux-x86_64.tar.gz";

        nativeBuildInputs = [ pkgs.autoPatchelfHook ];
        # For stressmon-net only; the other C libraries are linked statically.
        buildInputs = [ pkgs.mosquitto pkgs.libpq libnats ];
        dontBuild = true;
        dontStrip = true;

        # The units contain the path of the program.
        installPhase = ''
          runHook preInstall
          mkdir -p $out
          cp -r bin lib libexec share $out
          substituteInPlace $out/share/systemd/user/*.service --replace-fail /usr/local/bin $out/bin
          runHook postInstall
        '';

        meta = {
          description = "Live heart rate variability and stress from a Bluetooth LE chest strap";
          license = pkgs.lib.licenses.mit;
          mainProgram = "stressmon";
          platforms = [ system ];
        };
      };

      apps.${system}.default = {
        type = "app";
        program = "${self.packages.${system}.default}/bin/stressmon";
      };
    };
}
