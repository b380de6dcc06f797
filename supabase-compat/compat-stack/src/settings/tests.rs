//! A project's configuration file, exactly as the CLI writes it, and the settings read from it.

use std::path::PathBuf;

use clap::Parser;
use compat_auth::mail::MailKind;

use super::*;

const PROJECT: &str = include_str!("tests/project.toml");

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    serve: ServeArguments,
}

fn arguments(words: &[&str]) -> ServeArguments {
    Program::parse_from(["program"].iter().chain(words)).serve
}

/// A project's folder with the files that its settings name; removed when it is dropped.
struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("project-{}-{name}", std::process::id()));
        let templates = root.join("supabase/templates");
        std::fs::create_dir_all(&templates).expect("a folder");
        std::fs::write(templates.join("invite.html"), "<p>Come in</p>").expect("a file");
        std::fs::write(templates.join("changed.html"), "<p>Changed</p>").expect("a file");
        std::fs::write(root.join("supabase/signing_keys.json"), "[]").expect("a file");
        Self(root)
    }

    fn reader(&self, variables: &[(&str, &str)]) -> Reader {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment = variables.iter().map(owned).collect();
        let file = PROJECT.parse().expect("toml");
        Reader::new(environment, &file).in_folder(self.0.join("supabase"))
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn omitted_settings_follow_the_cli_outside_production() {
    let confirms = |file: &str, variables: &[(&str, &str)]| {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment = variables.iter().map(owned).collect();
        let mut reader = Reader::new(environment, &file.parse().expect("toml"));
        preset_as_cli(&mut reader);
        let email = Settings::read(&mut reader, &arguments(&[])).auth.email;
        assert_eq!(reader.finish().problems, []);
        (!email.autoconfirm, email.max_frequency.as_secs())
    };
    let production = [("COMPAT_ENVIRONMENT", "production")];
    assert_eq!(confirms("", &[]), (false, 1));
    assert_eq!(confirms("[auth.email]\nenable_confirmations = true", &[]), (true, 1));
    assert_eq!(confirms("", &[("ENABLE_EMAIL_AUTOCONFIRM", "false")]), (true, 1));
    assert_eq!(confirms("", &production), (true, 60));
}

/// The settings that `up` reads from a file and variables.
fn served_as_cli(file: &str, variables: &[(&str, &str)]) -> Settings {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let environment = variables.iter().map(owned).collect();
    let mut reader = Reader::new(environment, &file.parse().expect("toml"));
    preset_as_cli(&mut reader);
    let mut settings = Settings::read(&mut reader, &arguments(&[]));
    assert_eq!(reader.finish().problems, []);
    settings.serve_as_cli();
    settings
}

#[test]
fn cli_keys_are_accepted_only_locally() {
    let counts = |variables: &[(&str, &str)]| served_as_cli("", variables).keys.takes_local_keys;
    assert!(counts(&[]));
    assert!(counts(&[("HOST", "::1"), ("API_EXTERNAL_URL", "http://localhost:54321")]));
    for elsewhere in [
        ("HOST", "0.0.0.0"),
        ("HOST", "192.0.2.1"),
        ("API_EXTERNAL_URL", "https://api.example"),
        ("TRUSTED_PROXIES", "127.0.0.1"),
        ("COMPAT_ENVIRONMENT", "production"),
    ] {
        assert!(!counts(&[elsewhere]), "{elsewhere:?}");
    }
    let mut reader = Reader::new(BTreeMap::new(), &toml::Table::new());
    assert!(!Settings::read(&mut reader, &arguments(&[])).keys.takes_local_keys, "with serve");
}

#[test]
fn project_database_has_the_cli_address() {
    let address =
        |file: &str, variables: &[(&str, &str)]| served_as_cli(file, variables).database_address();
    let usual = "postgresql://postgres:postgres@127.0.0.1:54322/postgres";
    assert_eq!(address("", &[]).as_deref(), Some(usual));
    let (file, password) = ("[db]\nport = 6543", [("POSTGRES_PASSWORD", "p@ss/word")]);
    let own = "postgresql://postgres:p%40ss%2Fword@127.0.0.1:6543/postgres";
    assert_eq!(address(file, &password).as_deref(), Some(own));
    assert_eq!(address("", &[("DATABASE_URL", "postgres://h/d")]), None);
    assert_eq!(address("", &[("COMPAT_ENVIRONMENT", "production")]), None);
}

#[test]
fn requested_port_admits_programs_by_password() {
    let read = |words: &[&str], variables: &[(&str, &str)]| {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let file = "[db]\nport = 6543".parse().expect("toml");
        let mut reader = Reader::new(variables.iter().map(owned).collect(), &file);
        let settings = Settings::read(&mut reader, &arguments(words));
        let problems = reader.finish().problems;
        (settings.database_address(), problems.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let password = [("POSTGRES_PASSWORD", "secret")];
    assert_eq!(read(&[], &password), (None, vec![]), "nobody asked");
    let text = "postgresql://postgres:secret@127.0.0.1:7000/postgres".to_owned();
    assert_eq!(read(&["--db-port", "7000"], &password), (Some(text), vec![]));
    let refusal = "POSTGRES_PASSWORD: expected a password for --db-port".to_owned();
    assert_eq!(read(&["--db-port", "7000"], &[]), (None, vec![refusal]));
}

#[test]
fn site_url_defaults_to_the_cli_value() {
    let site =
        |file: &str, variables: &[(&str, &str)]| served_as_cli(file, variables).auth.site_url;
    assert_eq!(site("", &[]), "http://localhost:3000");
    assert_eq!(site("[auth]\nsite_url = 'https://a.example'", &[]), "https://a.example");
    assert_eq!(site("", &[("COMPAT_ENVIRONMENT", "production")]), "");
}

#[test]
fn projects_file_of_the_cli_starts_unchanged() {
    let project = Project::new("unchanged");
    let mut reader = project.reader(&[]);
    let settings = Settings::read(&mut reader, &arguments(&[]));
    let found = reader.finish();
    assert_eq!(found.problems, []);
    assert_eq!(settings.port, 54_321);
    assert_eq!(settings.rest.schemas, ["public", "graphql_public"]);
    assert_eq!(settings.rest.max_rows, Some(1000));
    assert_eq!(settings.functions.functions["hello"].verify_jwt, Some(false));
    assert_eq!(settings.auth.uri_allow_list, ["https://127.0.0.1:3000"]);
    assert!(settings.auth.email.autoconfirm);
    assert!(settings.auth.hooks.before_user_created.is_some());
}

#[test]
fn unsupported_settings_are_named_once() {
    let project = Project::new("named");
    let mut reader = project.reader(&[]);
    Settings::read(&mut reader, &arguments(&[]));
    assert_eq!(
        reader.finish().unused,
        [
            "analytics",
            "api.auto_expose_new_tables",
            "api.enabled",
            "api.tls",
            "auth.enabled",
            "auth.external.notion.client_id",
            "auth.external.notion.enabled",
            "auth.external.notion.secret",
            "auth.external_url",
            "auth.rate_limit.web3",
            "auth.sms.twilio_verify.account_sid",
            "auth.sms.twilio_verify.auth_token",
            "auth.sms.twilio_verify.enabled",
            "auth.sms.twilio_verify.message_service_sid",
            "auth.web3",
            "db.health_timeout",
            "db.major_version",
            "db.network_restrictions",
            "db.pooler",
            "db.shadow_port",
            "db.ssl_enforcement",
            "db.vault",
            "edge_runtime.deno_version",
            "edge_runtime.enabled",
            "edge_runtime.inspector_port",
            "edge_runtime.policy",
            "edge_runtime.secrets.secret_key",
            "experimental",
            "inbucket",
            "local_smtp",
            "realtime.enabled",
            "realtime.ip_version",
            "realtime.max_header_length",
            "remotes",
            "storage.analytics",
            "storage.enabled",
            "storage.s3_protocol.enabled",
            "storage.vector",
            "studio",
        ]
    );
}

#[test]
fn features_with_unset_variables_stay_off() {
    let project = Project::new("unset");
    let mut reader = project.reader(&[]);
    let settings = Settings::read(&mut reader, &arguments(&[]));
    let names = |settings: &Settings| {
        let providers = settings.auth.providers.iter();
        providers.map(|provider| provider.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&settings), ["google"]);
    assert!(settings.auth.captcha.is_none());
    assert!(settings.auth.email.smtp.is_none());
    assert!(settings.auth.hooks.send_sms.is_none());
    assert_eq!(settings.issuers.trusted, []);
    assert_eq!(
        reader.finish().unset,
        [
            "AUTH_CALLBACK_URL",
            "AUTH_SEND_SMS_SECRETS",
            "CLERK_DOMAIN",
            "GITHUB_CLIENT_ID",
            "GITHUB_SECRET",
            "HCAPTCHA_SECRET",
            "SMTP_API_KEY",
        ]
    );
    let set = [("GITHUB_CLIENT_ID", "id"), ("GITHUB_SECRET", "s"), ("SMTP_API_KEY", "k")];
    let mut reader = project.reader(&set);
    let settings = Settings::read(&mut reader, &arguments(&[]));
    assert_eq!(names(&settings).len(), 2);
    assert!(settings.auth.email.smtp.is_some());
    assert_eq!(reader.finish().problems, []);
}

#[test]
fn mail_templates_are_found_at_cli_paths() {
    let project = Project::new("words");
    let mut reader = project.reader(&[]);
    let templates = Settings::read(&mut reader, &arguments(&[])).auth.email.templates;
    let body = |kind: MailKind| templates.bodies.get(&kind).map(String::as_str);
    let named = |name: &str| {
        let mut kinds = MailKind::REQUESTED.into_iter().chain(MailKind::NOTICES);
        kinds.find(|kind| kind.name() == name).expect("a kind of mail")
    };
    assert_eq!(body(named("invite")), Some("<p>Come in</p>"));
    assert_eq!(body(named("password_changed")), Some("<p>Changed</p>"));
    assert_eq!(body(named("email_changed")), None, "a notice that is off needs no file");
}

#[test]
fn command_line_overrides_file_and_environment() {
    let project = Project::new("line");
    let mut reader = project.reader(&[("PORT", "1")]);
    let words = ["--port", "0", "--host", "0.0.0.0", "--admin-port", "9"];
    let settings = Settings::read(&mut reader, &arguments(&words));
    assert_eq!((settings.port, settings.admin_port), (0, Some(9)));
    assert_eq!(settings.host, IpAddr::from([0, 0, 0, 0]));
    assert_eq!(settings.admin_host, THIS_MACHINE, "open to nobody unasked");
    assert_eq!(reader.finish().problems, []);
}

#[test]
fn setting_errors_are_reported_together_without_values() {
    let file = "[api]\nport = 99999\nexternal_url = 'secret-host'\n[auth]\njwt_expiry = 'secret'\n\
                [auth.external.google]\nenabled = true";
    let variables = [("COMPAT_ENVIRONMENT", "secret"), ("TRUSTED_PROXIES", "secret")];
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let mut reader =
        Reader::new(variables.iter().map(owned).collect(), &file.parse().expect("toml"));
    Settings::read(&mut reader, &arguments(&[]));
    let text = finish(reader).expect_err("mistakes").to_string();
    assert!(!text.contains("secret"), "{text}");
    for name in [
        "COMPAT_ENVIRONMENT: expected production or development",
        "TRUSTED_PROXIES: expected addresses or networks such as 10.0.0.0/8",
        "api.external_url: expected an http or https address",
        "api.port: expected a number from 0 to 65535",
        "auth.jwt_expiry: expected a whole number",
        "GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: expected a value: it is switched on",
    ] {
        assert!(text.contains(name), "{name} in {text}");
    }
}
