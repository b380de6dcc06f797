# Made by `just dist recipes` from packaging/recipes/formula.rb.
class @class@ < Formula
  desc "@summary@"
  homepage "@homepage@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

@machines@

  depends_on "postgresql@17" => :recommended

  def install
    bin.install "@program@"
    man1.install Dir["share/man1/*.1"]
    bash_completion.install "share/completions/@program@.bash" => "@program@"
    fish_completion.install "share/completions/@program@.fish"
    zsh_completion.install "share/completions/_@program@"
    doc.install "THIRD-PARTY.txt"
  end

  service do
    run [opt_bin/"@program@", "serve", "--data-dir", var/"@program@"]
    keep_alive crashed: true
    log_path var/"log/@program@.log"
    error_log_path var/"log/@program@.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/@program@ --version")
  end
end
