//! The error of a change: the server's message, with the line of the file that it refers to.

use compat_pg::{PgError, ProjectFile};

use crate::commands::CommandError;
use crate::project::ProjectError;

/// The most characters of a line that are shown.
const LONGEST: usize = 160;

/// Adds the line of the file that an error refers to, if it is in one of these files.
pub(super) fn with_line(error: CommandError, files: &[ProjectFile]) -> CommandError {
    match refusal(&error).and_then(|refusal| line_of(refusal, files)) {
        Some(line) => CommandError::Failed(format!("{error}\n    {line}")),
        None => error,
    }
}

/// The server's error, if there is one.
pub(super) fn refusal(error: &CommandError) -> Option<&PgError> {
    match error {
        CommandError::Database(error) | CommandError::Project(ProjectError::Database(error)) => {
            Some(error)
        }
        _ => None,
    }
}

fn line_of(refusal: &PgError, files: &[ProjectFile]) -> Option<String> {
    let PgError::Migration { file, line: Some(line), .. } = refusal else { return None };
    let file = files.iter().rfind(|one| one.path == *file)?;
    let line = file.text.lines().nth(line.checked_sub(1)?)?.trim();
    (!line.is_empty()).then(|| line.chars().take(LONGEST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_show_the_line_they_name() {
        let refusal = PgError::Migration {
            schema: "supabase",
            file: "schemas/notes.sql".to_owned(),
            line: Some(2),
            column: Some(8),
            is_undone: false,
            source: Box::new(PgError::PoolTimeout),
        };
        let text = "create table notes (\n  body teext\n);".to_owned();
        let file = ProjectFile { path: "schemas/notes.sql".to_owned(), text };
        let error = || CommandError::from(ProjectError::from(refusal.clone()));
        let message = with_line(error(), &[file]).to_string();
        assert!(message.ends_with("\n    body teext"), "{message}");
        let other = with_line(error(), &[]).to_string();
        assert!(!other.contains('\n'), "{other}");
    }
}
