//! The help of the whole program, with its commands in groups.

use clap::Command;

/// Groups with their commands, in the order in which a project needs them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Local project", &["init", "up", "stop", "status", "logs", "doctor", "upgrade-check"]),
    ("Database", &["db", "migration", "seed", "inspect", "test", "gen"]),
    ("Functions", &["functions", "secrets"]),
    (
        "Server",
        &["serve", "health", "migrate", "keys", "console", "backup", "restore", "upgrade-postgres"],
    ),
    ("Tools", &["mcp", "completion", "help"]),
];

/// Makes the help show the commands below the headings of their groups; a command without a group
/// is shown in the last one.
#[must_use]
pub fn with_groups(command: Command) -> Command {
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> String {
    let abouts: Vec<(&str, String)> = command
        .get_subcommands()
        .filter(|one| !one.is_hide_set())
        .map(|one| (one.get_name(), one.get_about().map(ToString::to_string).unwrap_or_default()))
        .chain([("help", "Print this, or the help of a command".to_owned())])
        .collect();
    let width = abouts.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::from("{about}\n\n{usage-heading} {usage}\n");
    let known: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    for (index, (heading, names)) in GROUPS.iter().enumerate() {
        text.push_str(&format!("\n{heading}:\n"));
        let is_last = index + 1 == GROUPS.len();
        let others = abouts.iter().filter(|(name, _)| is_last && !known.contains(name));
        let listed = names.iter().filter_map(|name| abouts.iter().find(|(one, _)| one == name));
        for (name, about) in listed.chain(others) {
            text.push_str(&format!("  {name:<width$}  {about}\n"));
        }
    }
    text.push_str("\nOptions:\n{options}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_each_command_once_below_a_group() {
        let command = Command::new("program")
            .subcommand(Command::new("up").about("Start"))
            .subcommand(Command::new("db").about("Change"))
            .subcommand(Command::new("other").about("Something else"))
            .subcommand(Command::new("manual").about("For packages").hide(true));
        let text = template(&command);
        for line in ["  up     Start", "  db     Change", "  other  Something else"] {
            assert_eq!(text.matches(line).count(), 1, "{line} in {text}");
        }
        assert!(!text.contains("logs") && !text.contains("manual"), "{text}");
    }
}
