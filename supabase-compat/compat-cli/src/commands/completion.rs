//! The command `completion`: what a shell needs to complete words of this program.

use std::io;

use clap::Subcommand;
use clap_complete::Shell;

/// What the program is called.
const PROGRAM: &str = "supabase-compat";

/// For which shell.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum CompletionCommand {
    /// source <(supabase-compat completion bash)
    Bash,
    /// supabase-compat completion fish | source
    Fish,
    /// source <(supabase-compat completion zsh)
    Zsh,
}

/// Prints the script.
pub fn print_completion(shell: CompletionCommand, command: &mut clap::Command) {
    let shell = match shell {
        CompletionCommand::Bash => Shell::Bash,
        CompletionCommand::Fish => Shell::Fish,
        CompletionCommand::Zsh => Shell::Zsh,
    };
    clap_complete::generate(shell, command, PROGRAM, &mut io::stdout());
}
