//! The command `functions new`: creates a function from a template.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use clap::{Args, ValueEnum};
use compat_stack::print_line;

use crate::commands::error::at;
use crate::commands::{CommandError, FolderArguments};
use crate::project::find_folder;

/// The arguments of `functions new`.
#[derive(Debug, Clone, Args)]
pub struct NewFunctionArguments {
    /// Name of the function, which is its path below functions/v1
    pub name: String,
    /// Who may call it
    #[arg(long, value_enum, default_value_t)]
    pub auth: FunctionAuth,
    #[command(flatten)]
    pub folder: FolderArguments,
}

/// Who may call a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum FunctionAuth {
    /// Everybody.
    None,
    /// Clients with a key of the project or a token of a user.
    #[default]
    Apikey,
    /// Users who are signed in.
    User,
}

const OPEN: &str = r#"// Answers at functions/v1/FUNCTION_NAME.
Deno.serve(async (request) => {
  const { name } = await request.json()
  return Response.json({ message: `Hello ${name}!` })
})
"#;

const FOR_USERS: &str = r#"// Answers at functions/v1/FUNCTION_NAME, whoever is signed in.
import { createClient } from 'npm:@supabase/supabase-js@2'

Deno.serve(async (request) => {
  const headers = { Authorization: request.headers.get('Authorization') ?? '' }
  const client = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_ANON_KEY')!, { global: { headers } })
  const { data } = await client.auth.getUser(headers.Authorization.replace('Bearer ', ''))
  if (!data.user) return Response.json({ message: 'Sign in first.' }, { status: 401 })
  return Response.json({ message: `Hello ${data.user.email}!` })
})
"#;

const DENO: &str = "{\n  \"imports\": {}\n}\n";

/// Creates the function.
///
/// # Errors
/// The name is not valid in a path, or in use; nothing is changed then.
pub fn make_function(arguments: &NewFunctionArguments) -> Result<(), CommandError> {
    let NewFunctionArguments { name, auth, folder } = arguments;
    if !is_name(name) {
        let rule = "a letter, then letters, digits, `_` and `-`";
        return Err(CommandError::Name { kind: "function", name: name.clone(), rule });
    }
    let project = find_folder(&folder.workdir)?;
    let function = project.join("functions").join(name);
    if function.exists() {
        return Err(CommandError::Exists(function));
    }
    let config = project.join("config.toml");
    let settings = with_section(&config, name, *auth)?;
    fs::create_dir_all(&function).map_err(at(&function))?;
    let text = if *auth == FunctionAuth::User { FOR_USERS } else { OPEN };
    write_new(&function.join("index.ts"), &text.replace("FUNCTION_NAME", name))?;
    write_new(&function.join("deno.json"), DENO)?;
    if let Some(settings) = settings {
        fs::write(&config, settings).map_err(at(&config))?;
    }
    print_line(&format!("Created new Function at {}", function.display()));
    print_line("It is served at once where supabase-compat up runs.");
    Ok(())
}

/// The text of `config.toml` with a section for the function; none if there is no file.
fn with_section(
    config: &Path,
    name: &str,
    auth: FunctionAuth,
) -> Result<Option<String>, CommandError> {
    if !config.is_file() {
        return Ok(None);
    }
    let mut text = fs::read_to_string(config).map_err(at(config))?;
    if text.contains(&format!("[functions.{name}]")) {
        return Ok(None);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let verify = auth != FunctionAuth::None;
    text.push_str(&format!("\n[functions.{name}]\nenabled = true\nverify_jwt = {verify}\n"));
    Ok(Some(text))
}

fn write_new(path: &Path, text: &str) -> Result<(), CommandError> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(at(path))
}

fn is_name(name: &str) -> bool {
    name.starts_with(|character: char| character.is_ascii_alphabetic())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "_-".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_names_fit_into_a_path() {
        for name in ["hello", "Hello-World_2"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "2nd", "a/b", "../x", "it's", "a b", "_x"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
