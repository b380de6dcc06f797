//! TLS connections to an external server.

use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use compat_pg::{
    ActingConfig, ActingDb, ConnectConfig, EmbeddedConfig, EmbeddedPostgres, PgError, Pools,
    ensure_roles,
};
use nix::unistd::{Uid, User};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use crate::world::{Folder, bin_dir, text};

const ENCRYPTED: &str = "select ssl::text from pg_stat_ssl where pid = pg_backend_pid()";

/// Starts a server that accepts only encrypted connections; returns it and its port.
async fn encrypting_server(folder: &Path) -> (EmbeddedPostgres, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    certify(folder);
    let rules = folder.join("rules.conf");
    std::fs::write(&rules, "local all all trust\nhostssl all all 127.0.0.1/32 trust\n").unwrap();
    let mut config = EmbeddedConfig::throwaway(folder.join("home"));
    config.bin_dir = bin_dir();
    let path = |name: &str| folder.join(name).display().to_string();
    for (name, value) in [
        ("listen_addresses", "127.0.0.1".to_owned()),
        ("port", port.to_string()),
        ("hba_file", path("rules.conf")),
        ("ssl", "on".to_owned()),
        ("ssl_cert_file", path("server.pem")),
        ("ssl_key_file", path("server.key")),
    ] {
        config.settings.push((name.to_owned(), value));
    }
    (EmbeddedPostgres::start(config).await.unwrap(), port)
}

/// Creates an authority and a certificate for `localhost` that it signs: `authority.pem`,
/// `server.pem` and `server.key` in the folder.
fn certify(folder: &Path) {
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new([]).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let certificate = authority.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().unwrap();
    let server = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let server = server.signed_by(&key, &issuer).unwrap();
    for (name, text, mode) in [
        ("authority.pem", certificate.pem(), 0o644),
        ("server.pem", server.pem(), 0o644),
        ("server.key", key.serialize_pem(), 0o600),
    ] {
        let target = folder.join(name);
        std::fs::write(&target, text).unwrap();
        std::fs::set_permissions(&target, std::fs::Permissions::from_mode(mode)).unwrap();
        give(&target);
    }
}

/// Gives the file to the server's account: the server reads only private keys of its own account or
/// of root.
fn give(file: &Path) {
    let account = User::from_name("postgres").unwrap().or(User::from_name("nobody").unwrap());
    if let (true, Some(account)) = (Uid::effective().is_root(), account) {
        chown(file, Some(account.uid.as_raw()), Some(account.gid.as_raw())).unwrap();
    }
}

#[tokio::test]
async fn encryption_and_trust_follow_the_address() {
    let folder = Folder::new("tls");
    let (server, port) = encrypting_server(folder.path()).await;
    let root = format!("sslrootcert={}/authority.pem", folder.path().display());
    let url = |login: &str, host: &str, query: &str| {
        format!("postgresql://{login}@{host}:{port}/postgres?{query}")
    };
    let acting = async |host: &str, query: &str| -> Result<String, PgError> {
        let url = url("authenticator", host, query);
        let acting = ActingDb::new(&url, None, &ActingConfig::default())?;
        Ok(text(&acting.query_raw(ENCRYPTED, &[]).await?))
    };

    let owner = ConnectConfig::new(url("postgres", "localhost", "sslmode=require"));
    let pools = Pools::connect(&owner).await.unwrap();
    ensure_roles(&pools.owner).await.unwrap();
    pools.close().await;

    for (host, query) in [
        ("localhost", "sslmode=prefer".to_owned()),
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-ca&{root}")),
        ("localhost", format!("sslmode=verify-full&{root}")),
    ] {
        assert_eq!(acting(host, &query).await.unwrap(), "true", "{query}");
    }
    let plain = acting("localhost", "sslmode=disable").await.unwrap_err();
    assert!(matches!(&plain, PgError::Unavailable(_)), "{plain}");
    assert!(plain.to_string().contains("no encryption (SQLSTATE 28000)"), "{plain}");
    for (host, query) in [
        // The certificate does not have this name.
        ("127.0.0.1", format!("sslmode=verify-full&{root}")),
        // The test's authority is not among the system's.
        ("localhost", "sslmode=verify-full".to_owned()),
        ("localhost", "sslmode=verify-ca&sslrootcert=system".to_owned()),
    ] {
        assert!(acting(host, &query).await.is_err(), "{query}");
    }
    let missing = acting("localhost", "sslmode=verify-ca&sslrootcert=/no/such.pem").await;
    assert!(matches!(missing, Err(PgError::Address(_))));
    server.stop().await;
}
