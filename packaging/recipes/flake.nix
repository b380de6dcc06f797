# Made by `just dist recipes` from packaging/recipes/flake.nix.
{
  description = "Palmarès and supabase-compat, as they are released";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      version = "@version@";
      archives = {
@archives@
      };
      package =
        system: program:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          archive = archives.${system}.${program};
        in
        pkgs.stdenv.mkDerivation {
          pname = program;
          inherit version;
          src = pkgs.fetchurl { inherit (archive) url hash; };
          nativeBuildInputs = pkgs.lib.optional pkgs.stdenv.isLinux pkgs.autoPatchelfHook ++ [
            pkgs.installShellFiles
            pkgs.makeWrapper
          ];
          buildInputs = pkgs.lib.optional pkgs.stdenv.isLinux pkgs.stdenv.cc.cc.lib;
          dontStrip = true;
          installPhase = ''
            runHook preInstall
            install -Dm755 ${program} $out/bin/${program}
            installManPage share/man1/*.1
            installShellCompletion share/completions/${program}.{bash,fish} --zsh share/completions/_${program}
            install -Dm644 -t $out/share/doc/${program} LICENSE-* THIRD-PARTY.txt
            wrapProgram $out/bin/${program} --set-default PG_BINDIR ${pkgs.postgresql}/bin
            runHook postInstall
          '';
          meta = {
            license = with pkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = program;
            platforms = builtins.attrNames archives;
          };
        };
    in
    {
      packages = nixpkgs.lib.genAttrs (builtins.attrNames archives) (
        system:
        builtins.mapAttrs (program: _: package system program) archives.${system}
        // {
          default = package system "supabase-compat";
        }
      );
    };
}
