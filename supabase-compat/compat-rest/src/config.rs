//! Settings of this service, under PostgREST's names (16).

mod setting_error;
mod setting_value;

use std::sync::Arc;

use compat_http::SettingProblem;
use compat_rest_core::schema::{Name, QualifiedName};
use compat_rest_core::{PlanRules, RequestRules};
use compat_token::{KeyRing, Rules};
use secrecy::{ExposeSecret as _, SecretString};
pub use setting_error::SettingError;
use setting_value::SettingValue;

/// Whether a request's changes are committed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransactionEndRule {
    #[default]
    Commit,
    /// Commit, but the client may ask for a rollback.
    CommitAllowOverride,
    Rollback,
    /// Roll back, but the client may ask for a commit.
    RollbackAllowOverride,
}

impl TransactionEndRule {
    /// The spellings of the setting's values.
    const SPELLINGS: &[(&str, Self)] = &[
        ("commit", Self::Commit),
        ("commit-allow-override", Self::CommitAllowOverride),
        ("rollback", Self::Rollback),
        ("rollback-allow-override", Self::RollbackAllowOverride),
    ];

    pub(crate) fn allows_override(self) -> bool {
        matches!(self, Self::CommitAllowOverride | Self::RollbackAllowOverride)
    }

    pub(crate) fn commits(self) -> bool {
        matches!(self, Self::Commit | Self::CommitAllowOverride)
    }
}

/// What the root document shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenApiMode {
    /// What the caller's role may use.
    #[default]
    FollowPrivileges,
    /// Everything exposed.
    IgnorePrivileges,
    /// Nothing: the root answers 404.
    Disabled,
}

impl OpenApiMode {
    /// The spellings of the setting's values.
    const SPELLINGS: &[(&str, Self)] = &[
        ("follow-privileges", Self::FollowPrivileges),
        ("ignore-privileges", Self::IgnorePrivileges),
        ("disabled", Self::Disabled),
    ];
}

/// All settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// Exposed schemas, the default first. Variable: `PGRST_DB_SCHEMAS`.
    pub schemas: Vec<String>,
    /// Role of callers without a token; without one they are refused (PGRST302).
    /// Variable: `PGRST_DB_ANON_ROLE`.
    pub anon_role: Option<String>,
    /// Schemas searched behind the requested one. Variable: `PGRST_DB_EXTRA_SEARCH_PATH`.
    pub extra_search_path: Vec<String>,
    /// Most rows of a read, a call or an embed. Variable: `PGRST_DB_MAX_ROWS`.
    pub max_rows: Option<i64>,
    /// How deep embeds may lie in each other; PostgREST has no such setting.
    /// Variable: `PGRST_DB_MAX_EMBED_DEPTH`.
    pub max_embed_depth: Option<usize>,
    /// Whether changes are committed. Variable: `PGRST_DB_TX_END`.
    pub transaction_end: TransactionEndRule,
    /// Function run in the caller's role before every request. Variable: `PGRST_DB_PRE_REQUEST`.
    pub pre_request: Option<String>,
    /// Whether aggregates may be selected. Variable: `PGRST_DB_AGGREGATES_ENABLED`.
    pub aggregates_enabled: bool,
    /// Whether query plans may be asked for. Variable: `PGRST_DB_PLAN_ENABLED`.
    pub plan_enabled: bool,
    /// Function that answers the root. Variable: `PGRST_DB_ROOT_SPEC`.
    pub root_spec: Option<String>,
    /// Channel that reloads the schema cache. Variable: `PGRST_DB_CHANNEL`.
    pub channel: String,
    /// Whether the channel is listened to. Variable: `PGRST_DB_CHANNEL_ENABLED`.
    pub channel_enabled: bool,
    /// Whether settings are also read from `ALTER ROLE … SET pgrst.*`. Variable: `PGRST_DB_CONFIG`.
    pub db_config: bool,
    /// Function that makes `pgrst.*` settings before they are read from the database.
    /// Variable: `PGRST_DB_PRE_CONFIG`.
    pub pre_config: Option<String>,
    /// Settings of a function that are made for the whole transaction.
    /// Variable: `PGRST_DB_HOISTED_TX_SETTINGS`.
    pub hoisted_settings: Vec<String>,
    /// Further settings of every transaction. Variables: `PGRST_APP_SETTINGS_*`.
    pub app_settings: Vec<(String, String)>,
    /// What the root document shows. Variable: `PGRST_OPENAPI_MODE`.
    pub openapi_mode: OpenApiMode,
    /// Whether the root document describes the token. Variable: `PGRST_OPENAPI_SECURITY_ACTIVE`.
    pub openapi_security_active: bool,
    /// Address the root document names. Variable: `PGRST_OPENAPI_SERVER_PROXY_URI`.
    pub openapi_server_proxy_uri: Option<String>,
    /// Allowed origins when the service runs alone; all origins if the list is empty. Variable:
    /// `PGRST_SERVER_CORS_ALLOWED_ORIGINS`.
    pub cors_allowed_origins: Vec<String>,
    /// Whether answers carry `Server-Timing`. Variable: `PGRST_SERVER_TIMING_ENABLED`.
    pub server_timing: bool,
    /// Request header that is echoed. Variable: `PGRST_SERVER_TRACE_HEADER`.
    pub trace_header: Option<String>,
    /// Whether errors keep back details and hint. Variable: `PGRST_CLIENT_ERROR_VERBOSITY=minimal`.
    pub terse_errors: bool,
    /// Whether an embed with an alias may still be addressed by its target's name.
    /// Variable: `PGRST_URL_USE_LEGACY_TARGET_NAMES`.
    pub legacy_target_names: bool,
    /// The requirements for tokens. Variables: `PGRST_JWT_ROLE_CLAIM_KEY`, `PGRST_JWT_AUD`.
    pub tokens: Rules,
    /// A secret or keys kept in the database (`pgrst.jwt_secret`), which then replace all others.
    pub jwt_secret: Option<SecretString>,
    /// Whether it is base64 (`pgrst.jwt_secret_is_base64`).
    pub jwt_secret_is_base64: bool,
    /// Largest request body in bytes.
    pub max_body: usize,
    /// The most request shapes whose plan is cached.
    pub shape_cache: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            schemas: vec!["public".into()],
            anon_role: Some("anon".into()),
            extra_search_path: vec!["public".into()],
            max_rows: None,
            max_embed_depth: None,
            transaction_end: TransactionEndRule::default(),
            pre_request: None,
            aggregates_enabled: false,
            plan_enabled: false,
            root_spec: None,
            channel: "pgrst".into(),
            channel_enabled: true,
            db_config: true,
            pre_config: None,
            // PostgREST's default of `db-hoisted-tx-settings`.
            hoisted_settings: ["statement_timeout", "plan_filter.statement_cost_limit"]
                .map(str::to_owned)
                .into_iter()
                .chain(["default_transaction_isolation".to_owned()])
                .collect(),
            app_settings: Vec::new(),
            openapi_mode: OpenApiMode::default(),
            openapi_security_active: false,
            openapi_server_proxy_uri: None,
            cors_allowed_origins: Vec::new(),
            server_timing: false,
            trace_header: None,
            terse_errors: false,
            legacy_target_names: true,
            tokens: Rules::default(),
            jwt_secret: None,
            jwt_secret_is_base64: false,
            max_body: 10 * 1024 * 1024,
            shape_cache: 2048,
        }
    }
}

/// Settings that may be kept in the database, without their `pgrst.` prefix.
pub(crate) const DATABASE_SETTINGS: [&str; 22] = [
    "db_schemas",
    "db_anon_role",
    "db_extra_search_path",
    "db_max_rows",
    "db_max_embed_depth",
    "db_tx_end",
    "db_pre_request",
    "db_aggregates_enabled",
    "db_plan_enabled",
    "db_root_spec",
    "db_hoisted_tx_settings",
    "openapi_mode",
    "openapi_security_active",
    "openapi_server_proxy_uri",
    "server_cors_allowed_origins",
    "server_timing_enabled",
    "server_trace_header",
    "client_error_verbosity",
    "jwt_aud",
    "jwt_role_claim_key",
    "jwt_secret",
    "jwt_secret_is_base64",
];

impl Config {
    /// The problems of these settings; empty if they are valid.
    pub fn problems(&self) -> Vec<SettingProblem> {
        let mut problems = Vec::new();
        if self.schemas.is_empty() {
            problems.push(SettingProblem::new("PGRST_DB_SCHEMAS", "at least one schema"));
        }
        let system = ["pg_catalog", "information_schema"];
        if self.schemas.iter().any(|schema| system.contains(&schema.as_str())) {
            let expected = "neither pg_catalog nor information_schema";
            problems.push(SettingProblem::new("PGRST_DB_SCHEMAS", expected));
        }
        if self.max_rows.is_some_and(|rows| rows < 0) {
            problems.push(SettingProblem::new("PGRST_DB_MAX_ROWS", "no negative number"));
        }
        problems
    }

    /// Overrides settings with those in the database, whose names are without the `pgrst.` prefix.
    /// An invalid setting keeps its former value and is logged.
    pub fn with_database_settings<'a>(
        mut self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        for (name, value) in settings {
            if let Err(SettingError::Wrong(problem)) = self.set(name, value) {
                tracing::warn!(%problem, "database setting ignored");
            }
        }
        self.read_secret();
        self.tokens.anon_role = self.anon_role.as_deref().map(Into::into);
        self
    }

    /// Builds the keys from the secret, once all settings are read.
    fn read_secret(&mut self) {
        let Some(secret) = &self.jwt_secret else { return };
        match KeyRing::from_postgrest_secret(secret.expose_secret(), self.jwt_secret_is_base64) {
            Ok(keys) => self.tokens.keys = Some(Arc::new(keys)),
            Err(problem) => tracing::warn!(%problem, "pgrst.jwt_secret ignored"),
        }
    }

    /// Sets one setting by its name in lower case without prefix (`db_max_rows` for
    /// `PGRST_DB_MAX_ROWS` and `pgrst.db_max_rows`). An empty value unsets an optional setting,
    /// such as a role or a search path, and means the default for any other.
    ///
    /// # Errors
    /// The name is unknown, or the value is invalid; the setting then keeps its value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let setting = SettingValue::new(name, value);
        let fresh = Self::default();
        match name {
            // Second names are PostgREST's aliases for settings that it has renamed.
            "db_schemas" | "db_schema" => self.schemas = setting.list_or(fresh.schemas),
            "db_anon_role" => self.anon_role = setting.text(),
            "db_extra_search_path" => self.extra_search_path = setting.list_or(Vec::new()),
            "db_max_rows" | "max_rows" => self.max_rows = setting.number()?,
            "db_max_embed_depth" => self.max_embed_depth = setting.number()?,
            "db_tx_end" => self.transaction_end = setting.one_of(TransactionEndRule::SPELLINGS)?,
            "db_pre_request" | "pre_request" => self.pre_request = setting.text(),
            "db_pre_config" => self.pre_config = setting.text(),
            "db_aggregates_enabled" => self.aggregates_enabled = setting.flag_or(false)?,
            "db_plan_enabled" => self.plan_enabled = setting.flag_or(false)?,
            "db_root_spec" | "root_spec" => self.root_spec = setting.text(),
            "db_channel" => self.channel = setting.text().unwrap_or(fresh.channel),
            "db_channel_enabled" => self.channel_enabled = setting.flag_or(true)?,
            "db_config" => self.db_config = setting.flag_or(true)?,
            "db_hoisted_tx_settings" => {
                self.hoisted_settings = setting.list_or(fresh.hoisted_settings);
            }
            "openapi_mode" => self.openapi_mode = setting.one_of(OpenApiMode::SPELLINGS)?,
            "openapi_security_active" => self.openapi_security_active = setting.flag_or(false)?,
            "openapi_server_proxy_uri" => self.openapi_server_proxy_uri = setting.text(),
            "server_cors_allowed_origins" => {
                self.cors_allowed_origins = setting.list_or(Vec::new())
            }
            "server_timing_enabled" => self.server_timing = setting.flag_or(false)?,
            "server_trace_header" => self.trace_header = setting.text(),
            "client_error_verbosity" => {
                self.terse_errors = setting.one_of(&[("verbose", false), ("minimal", true)])?;
            }
            "jwt_aud" => self.tokens.audience = setting.audience()?.map(Into::into),
            "jwt_role_claim_key" | "role_claim_key" => {
                self.tokens.role_claim = setting.claim_path()?
            }
            "jwt_secret" => self.jwt_secret = setting.text().map(SecretString::from),
            "jwt_secret_is_base64" | "secret_is_base64" => {
                self.jwt_secret_is_base64 = setting.flag_or(false)?;
            }
            "url_use_legacy_target_names" => self.legacy_target_names = setting.flag_or(true)?,
            other => self.set_for_applications(other, value.trim())?,
        }
        Ok(())
    }

    /// `app_settings_x` and `app.settings.x`: settings the operator's own SQL reads.
    fn set_for_applications(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let prefixes = ["app_settings_", "app.settings."];
        let setting = prefixes.into_iter().find_map(|prefix| name.strip_prefix(prefix));
        let setting = setting.ok_or(SettingError::Unknown)?;
        let name = format!("app.settings.{setting}");
        self.app_settings.retain(|(known, _)| *known != name);
        self.app_settings.push((name, value.to_owned()));
        Ok(())
    }

    pub(crate) fn request_rules(&self) -> RequestRules {
        let default = self.schemas.first().map_or("public", String::as_str);
        RequestRules {
            schemas: self.schemas.iter().map(|schema| Name::from(schema.as_str())).collect(),
            transaction_override: self.transaction_end.allows_override(),
            root_function: self.root_spec.as_deref().map(|name| qualified(name, default)),
            root_enabled: self.openapi_mode != OpenApiMode::Disabled,
        }
    }

    pub(crate) fn plan_rules(&self) -> PlanRules {
        PlanRules {
            max_rows: self.max_rows,
            max_embed_depth: self.max_embed_depth,
            aggregates_enabled: self.aggregates_enabled,
            plan_enabled: self.plan_enabled,
            root_by_privileges: self.openapi_mode == OpenApiMode::FollowPrivileges,
            legacy_target_names: self.legacy_target_names,
        }
    }
}

/// `schema.name`, or a name in the default schema.
pub(crate) fn qualified(text: &str, default_schema: &str) -> QualifiedName {
    match text.split_once('.') {
        Some((schema, name)) => QualifiedName::new(schema, name),
        None => QualifiedName::new(default_schema, text),
    }
}
