//! Tests of the built program `supabase-compat`. Because this target uses the program, `cargo test`
//! also builds it for the suites that run it from outside.

mod service_manager;

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_supabase-compat"))
        .args(arguments)
        .env_clear()
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn help_names_the_commands() {
    let output = run(&["--help"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let help = text(&output.stdout);
    for command in ["up", "db", "status", "serve", "keys", "functions", "backup", "restore"] {
        let is_listed = help.lines().any(|line| line.trim_start().starts_with(command));
        assert!(is_listed, "{command} is missing in {help}");
    }
}

#[test]
fn manual_has_a_page_for_each_command() {
    let folder = std::env::temp_dir().join(format!("manual-{}", std::process::id()));
    let output = run(&["manual", folder.to_str().expect("UTF-8")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for file in [
        "man1/supabase-compat.1",
        "man1/supabase-compat-db-push.1",
        "completions/supabase-compat.bash",
        "completions/supabase-compat.fish",
        "completions/_supabase-compat",
    ] {
        let page = std::fs::read_to_string(folder.join(file)).expect(file);
        assert!(page.contains("serve") || file.contains("push"), "{file}: {page}");
    }
    assert!(!folder.join("man1/supabase-compat-manual.1").exists());
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
}

#[test]
fn help_lists_commands_in_groups() {
    let output = run(&["--help"]);
    let help = text(&output.stdout);
    let headings = ["Local project:", "Database:", "Functions:", "Server:", "Tools:", "Options:"];
    let places: Vec<_> = headings.iter().map(|heading| help.find(heading)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{help}");
}

#[test]
fn completions_are_scripts_of_each_shell() {
    for (shell, begin) in [
        ("bash", "complete -F _supabase"),
        ("fish", "supabase-compat"),
        ("zsh", "#compdef supabase-compat"),
    ] {
        let output = run(&["completion", shell]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let script = text(&output.stdout);
        assert!(script.contains(begin) && script.contains("migration"), "{script}");
    }
}

#[test]
fn unknown_command_fails_with_a_hint() {
    let output = run(&["sevre"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("serve"), "{}", text(&output.stderr));
}

#[test]
fn missing_project_folder_is_named() {
    let output = run(&["up", "/nowhere/at/all"]);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("/nowhere/at/all"), "{}", text(&output.stderr));
}
