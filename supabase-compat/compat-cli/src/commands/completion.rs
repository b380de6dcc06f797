//! The command `completion`: prints completions of the command line for a shell.

use std::io;

use clap::Subcommand;
use clap_complete::Shell;

/// The name of the program.
const PROGRAM: &str = "supabase-compat";

/// The shell.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum CompletionCommand {
    /// source <(supabase-compat completion bash)
    Bash,
    /// supabase-compat completion fish | source
    Fish,
    /// source <(supabase-compat completion zsh)
    Zsh,
}

/// Prints the completion script.
pub fn print_completion(shell: CompletionCommand, command: &mut clap::Command) {
    let shell = match shell {
        CompletionCommand::Bash => Shell::Bash,
        CompletionCommand::Fish => Shell::Fish,
        CompletionCommand::Zsh => Shell::Zsh,
    };
    clap_complete::generate(shell, command, PROGRAM, &mut io::stdout());
}
