//! The functions of a project's folder, and their files.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::ToolError;
use crate::state::{EdgeFunction, McpState};

/// The most files of one answer.
const MOST_FILES: usize = 200;
/// The most bytes of one answer.
const MOST_BYTES: u64 = 1024 * 1024;
/// The deepest folder level that is read.
const DEEPEST: usize = 12;

pub(super) async fn list(state: &McpState) -> Result<Value, ToolError> {
    let functions = load_functions(state).await?;
    Ok(json!({ "functions": functions.iter().map(described).collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
pub(super) struct FunctionQuestion {
    function_slug: String,
}

pub(super) async fn get(
    state: &McpState,
    FunctionQuestion { function_slug }: FunctionQuestion,
) -> Result<Value, ToolError> {
    let functions = load_functions(state).await?;
    // Only names of the list are accepted, so none leads out of the folder.
    let matching = functions.into_iter().find(|function| function.slug == function_slug);
    let function =
        matching.ok_or(ToolError::Missing { kind: "Edge Function", name: function_slug })?;
    let folder = function.folder.clone();
    let files = in_background(move || files(&folder)).await??;
    let mut answer = described(&function);
    answer["files"] = Value::Array(files);
    Ok(answer)
}

async fn load_functions(state: &McpState) -> Result<Vec<EdgeFunction>, ToolError> {
    let Some(list) = state.config().functions.clone() else { return Ok(Vec::new()) };
    in_background(move || list()).await
}

async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ToolError::File(error.to_string()))
}

fn described(function: &EdgeFunction) -> Value {
    let inside = |path: &Path| {
        let below = path.strip_prefix(&function.folder).ok().map(Path::to_owned);
        let name = || path.file_name().map(PathBuf::from).unwrap_or_default();
        below.unwrap_or_else(name).display().to_string()
    };
    let mut described = json!({
        "id": function.slug,
        "slug": function.slug,
        "name": function.slug,
        "status": "ACTIVE",
        "version": 1,
        "verify_jwt": function.verify_jwt,
        "import_map": function.import_map.is_some(),
        "entrypoint_path": inside(&function.entrypoint),
    });
    if let Some(map) = &function.import_map {
        described["import_map_path"] = Value::from(inside(map));
    }
    described
}

/// The text files below a folder. Files whose names begin with a dot are excluded: `.env` holds
/// secrets.
fn files(folder: &Path) -> Result<Vec<Value>, ToolError> {
    let (mut contents, mut bytes) = (Vec::new(), 0);
    gather(folder, folder, DEEPEST, &mut contents, &mut bytes)?;
    Ok(contents)
}

fn gather(
    root: &Path,
    folder: &Path,
    depth: usize,
    contents: &mut Vec<Value>,
    bytes: &mut u64,
) -> Result<(), ToolError> {
    let unreadable = |error: std::io::Error| {
        ToolError::File(format!("The files of the function cannot be read: {error}"))
    };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut entries: Vec<_> = entries.collect::<Result<_, _>>().map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Symbolic links are not followed, because they may lead anywhere.
        let kind = entry.file_type().map_err(unreadable)?;
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            gather(root, &entry.path(), depth - 1, contents, bytes)?;
        } else if kind.is_file() {
            *bytes += entry.metadata().map_err(unreadable)?.len();
            if contents.len() == MOST_FILES || *bytes > MOST_BYTES {
                return Err(ToolError::File("The function has too many files to show".to_owned()));
            }
            let path = entry.path();
            if let Ok(content) = fs::read_to_string(&path) {
                let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
                contents.push(json!({ "name": name, "content": content }));
            }
        }
    }
    Ok(())
}
