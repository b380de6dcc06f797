//! An independent S3 server that verifies signatures.

use compat_http::{Entropy, Outgoing, OutgoingConfig};
use compat_storage::bytes::{Remote, RemoteConfig};
use compat_testkit_s3::{ACCESS_KEY_ID, SECRET_ACCESS_KEY};

use super::stores::Scratch;

/// The server with one bucket; it stops when it is dropped.
pub struct S3Server {
    server: compat_testkit_s3::S3Server,
    scratch: Scratch,
}

impl S3Server {
    pub async fn start() -> Self {
        let scratch = Scratch::new();
        std::fs::create_dir(scratch.path().join("objects")).unwrap();
        let server = compat_testkit_s3::S3Server::start(scratch.path()).await.unwrap();
        Self { server, scratch }
    }

    pub fn config(&self) -> RemoteConfig {
        RemoteConfig {
            bucket: "objects".to_owned(),
            prefix: "stub".to_owned(),
            endpoint: Some(self.server.endpoint()),
            region: "eu-west-3".to_owned(),
            force_path_style: true,
            access_key_id: ACCESS_KEY_ID.to_owned(),
            secret_access_key: SECRET_ACCESS_KEY.into(),
            session_token: None,
            spool: self.scratch.path().join("spool"),
        }
    }

    pub fn store(&self) -> Remote {
        store(&self.config())
    }
}

pub fn store(config: &RemoteConfig) -> Remote {
    let outgoing = Outgoing::new(OutgoingConfig::default()).unwrap();
    Remote::new(config, outgoing, Entropy::system())
}
