//! The command `seed buckets`: creates the buckets of the settings and uploads the files of their
//! folders, through the project's own storage/v1.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;
use compat_http::{Clock, EgressPolicy, Entropy, Outgoing, OutgoingConfig, OutgoingResponse};
use compat_stack::{ProjectKeys, print_line};
use compat_storage::BucketSeed;
use http::Method;
use serde_json::json;

use super::error::at;
use super::{CommandError, Project, ProjectArguments};

type Failure = Box<dyn std::error::Error>;

/// Time limit for one object.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The subcommands of `seed`.
#[derive(Debug, Subcommand)]
pub enum SeedCommand {
    /// Create or change the buckets of config.toml, and upload the files of their folders
    Buckets(ProjectArguments),
}

/// Runs the command.
///
/// # Errors
/// The project is not served, or storage/v1 refuses a request.
pub async fn seed(SeedCommand::Buckets(project): SeedCommand) -> Result<(), Failure> {
    let Project { settings, files: _ } = project.open()?;
    let address = super::status::project_address(&settings).await?;
    let keys = ProjectKeys::load_if_kept(
        &settings.data_dir,
        &settings.keys,
        &Clock::system(),
        &Entropy::system(),
    )?;
    let storage = StorageClient {
        outgoing: Outgoing::new(OutgoingConfig { timeout: TIMEOUT, ..OutgoingConfig::default() })?,
        base: format!("http://{address}/storage/v1"),
        key: keys.api.service_role.clone(),
    };
    if settings.storage.buckets.is_empty() {
        print_line("config.toml names no bucket below [storage.buckets].");
    }
    for bucket in &settings.storage.buckets {
        storage.make(bucket).await?;
        if let Some(folder) = settings.first_objects.get(&bucket.name) {
            for file in files_below(folder)? {
                storage.upload(&bucket.name, folder, &file).await?;
            }
        }
    }
    Ok(())
}

struct StorageClient {
    outgoing: Outgoing,
    base: String,
    key: String,
}

impl StorageClient {
    async fn make(&self, bucket: &BucketSeed) -> Result<(), Failure> {
        let body = json!({
            "id": bucket.name,
            "name": bucket.name,
            "public": bucket.public,
            "file_size_limit": bucket.file_size_limit,
            "allowed_mime_types": bucket.allowed_mime_types,
        });
        let response = self.request(Method::POST, "/bucket").json(&body).send().await?;
        if response.status.is_success() {
            print_line(&format!("Created bucket: {}", bucket.name));
            return Ok(());
        }
        let path = format!("/bucket/{}", encoded(&bucket.name));
        let changed = self.request(Method::PUT, &path).json(&body).send().await?;
        must_succeed(&changed, &bucket.name)?;
        print_line(&format!("Updated bucket: {}", bucket.name));
        Ok(())
    }

    async fn upload(&self, bucket: &str, folder: &Path, file: &Path) -> Result<(), Failure> {
        let below = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
        let key: Vec<String> = below.split('/').map(encoded).collect();
        let path = format!("/object/{}/{}", encoded(bucket), key.join("/"));
        let kind = mime_guess::from_path(file).first_or_octet_stream();
        let content = tokio::fs::read(file).await.map_err(at(file))?;
        print_line(&format!("Uploading: {} => {bucket}/{below}", file.display()));
        let done = self
            .request(Method::POST, &path)
            .header("content-type", kind.essence_str())
            .header("x-upsert", "true")
            .body(content)
            .send()
            .await?;
        Ok(must_succeed(&done, &below)?)
    }

    fn request(&self, method: Method, path: &str) -> compat_http::OutgoingRequest {
        let url = format!("{}{path}", self.base);
        self.outgoing
            .request(EgressPolicy::Trusted, method, &url)
            .bearer(&self.key)
            .header("apikey", &self.key)
    }
}

fn must_succeed(response: &OutgoingResponse, subject: &str) -> Result<(), CommandError> {
    if response.status.is_success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&response.body);
    Err(CommandError::Failed(format!("storage/v1 refuses {subject}: {reason}")))
}

fn encoded(part: &str) -> String {
    percent_encoding::utf8_percent_encode(part, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// The files below a folder in order, without hidden files.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let mut paths = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(&path).map_err(at(&path))? {
            let entry = entry.map_err(at(&path))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            match entry.path() {
                inner if inner.is_dir() => open.push(inner),
                inner => paths.push(inner),
            }
        }
    }
    paths.sort();
    Ok(paths)
}
