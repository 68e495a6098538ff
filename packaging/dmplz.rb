# The formula of Homebrew, for a tap: `brew install NAME/tap/dmplz`.
class Dmplz < Formula
  desc "@SUMMARY@"
  homepage "@RELEASES@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

@ARCHIVES@
  def install
    bin.install "bin/dmplz"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/dmplz"
    zsh_completion.install "share/zsh/site-functions/_dmplz"
    fish_completion.install "share/fish/vendor_completions.d/dmplz.fish"
    pkgshare.install Dir["share/dmplz/*"]
    doc.install Dir["share/doc/dmplz/*"]
  end

  def caveats
    <<~TEXT
      dmplz setup              sets it up
      dmplz service install    keeps the gateway running
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/dmplz --version")
    system bin/"dmplz", "demo", "--answer", "approve"
  end
end
