//! Stores the last valid keys of each issuer in the data folder, so that a restart works while an
//! issuer is down. The keys are public, but a process with write access to the file decides whose
//! tokens are valid.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use url::{Url, form_urlencoded};

#[derive(Serialize, Deserialize)]
struct JwksFile {
    /// The address that the keys were fetched from; keys of another address are ignored.
    address: Option<Url>,
    jwks: String,
}

/// The stored keys of an issuer and an address.
pub(super) fn read(folder: &Path, issuer: &str, address: Option<&Url>) -> Option<String> {
    let text = std::fs::read_to_string(place(folder, issuer)).ok()?;
    let file: JwksFile = serde_json::from_str(&text).ok()?;
    (file.address.as_ref() == address).then_some(file.jwks)
}

/// Stores keys; a failure is only logged.
pub(super) async fn write(folder: &Path, issuer: &str, address: Option<&Url>, jwks: &str) {
    let file = JwksFile { address: address.cloned(), jwks: jwks.to_owned() };
    let place = place(folder, issuer);
    let draft = place.with_extension("draft");
    let writing = async {
        tokio::fs::create_dir_all(folder).await?;
        tokio::fs::write(&draft, serde_json::to_vec(&file)?).await?;
        tokio::fs::rename(&draft, &place).await
    };
    if let Err(error) = writing.await {
        tracing::warn!(issuer, %error, "cannot store the keys of an issuer");
    }
}

fn place(folder: &Path, issuer: &str) -> PathBuf {
    let name: String = form_urlencoded::byte_serialize(issuer.as_bytes()).collect();
    folder.join(format!("{name}.json"))
}
