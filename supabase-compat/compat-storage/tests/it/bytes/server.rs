//! A store that speaks S3 and checks signatures, written by others: `s3s-fs`, started and stopped
//! here.

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use compat_http::{Entropy, Outgoing, OutgoingConfig};
use compat_storage::bytes::{Remote, RemoteConfig};
use tokio::net::TcpStream;

use super::stores::Scratch;

const HOW: &str = "s3s-fs is not there; `scripts/install-tools` installs it";

/// The server, with one bucket; it ends with the test.
pub struct S3Server {
    child: Child,
    port: u16,
    scratch: Scratch,
}

impl S3Server {
    pub async fn start() -> Self {
        let scratch = Scratch::new();
        std::fs::create_dir(scratch.path().join("objects")).unwrap();
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut command = Command::new("s3s-fs");
        command.args(["--host", "127.0.0.1", "--access-key", "key", "--secret-key", "secret"]);
        command.arg("--port").arg(port.to_string()).arg(scratch.path());
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect(HOW);
        let mut server = Self { child, port, scratch };
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
            assert!(server.child.try_wait().unwrap().is_none(), "s3s-fs ended at once");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        server
    }

    pub fn config(&self) -> RemoteConfig {
        RemoteConfig {
            bucket: "objects".to_owned(),
            prefix: "stub".to_owned(),
            endpoint: Some(format!("http://127.0.0.1:{}", self.port)),
            region: "eu-west-3".to_owned(),
            force_path_style: true,
            access_key_id: "key".to_owned(),
            secret_access_key: "secret".into(),
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

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
