//! Hooks: the operator's own code, called at fixed points.

use secrecy::SecretSlice;

/// The hooks; `None` switches a hook off.
#[derive(Debug, Clone, Default)]
pub struct HooksConfig {
    /// `GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_*`.
    pub custom_access_token: Option<Hook>,
    /// `GOTRUE_HOOK_BEFORE_USER_CREATED_*`.
    pub before_user_created: Option<Hook>,
    /// `GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_*`.
    pub password_verification_attempt: Option<Hook>,
    /// `GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_*`.
    pub mfa_verification_attempt: Option<Hook>,
    /// `GOTRUE_HOOK_AFTER_USER_CREATED_*`.
    pub after_user_created: Option<Hook>,
    /// `GOTRUE_HOOK_SEND_EMAIL_*`: sends mails instead of us.
    pub send_email: Option<Hook>,
    /// `GOTRUE_HOOK_SEND_SMS_*`: sends text messages instead of us.
    pub send_sms: Option<Hook>,
}

/// One hook.
#[derive(Debug, Clone)]
pub struct Hook {
    /// `GOTRUE_HOOK_<NAME>_URI`.
    pub target: HookTarget,
    /// `GOTRUE_HOOK_<NAME>_SECRETS`: the decoded keys behind `v1,whsec_`, with which HTTP requests
    /// are signed.
    pub secrets: Vec<SecretSlice<u8>>,
}

/// What a hook calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookTarget {
    /// A database function, `schema.name`, that takes and returns one jsonb value.
    Function { name: String },
    /// An HTTP endpoint.
    Http { url: String },
}

impl Hook {
    /// Parses the two settings of a hook.
    pub fn parse(uri: &str, secrets: &str) -> Result<Self, String> {
        let url = url::Url::parse(uri).map_err(|error| error.to_string())?;
        if url.scheme() == "pg-functions" {
            let parts: Vec<&str> = url.path_segments().into_iter().flatten().collect();
            let [schema, function] = parts[..] else {
                return Err("expected pg-functions://postgres/<schema>/<function>".to_owned());
            };
            let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
            let name = format!("{}.{}", quoted(schema), quoted(function));
            return Ok(Self { target: HookTarget::Function { name }, secrets: Vec::new() });
        }
        let local =
            matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "host.docker.internal"));
        if url.scheme() != "https" && !(url.scheme() == "http" && local) {
            return Err("expected https, or http on this host".to_owned());
        }
        let secrets = secrets.split('|').map(secret).collect::<Option<Vec<_>>>();
        let secrets = secrets.ok_or("expected secrets of the form v1,whsec_<base64>")?;
        Ok(Self { target: HookTarget::Http { url: uri.to_owned() }, secrets })
    }
}

fn secret(text: &str) -> Option<SecretSlice<u8>> {
    use base64::Engine as _;
    let encoded = text.trim().strip_prefix("v1,whsec_")?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(encoded).ok()?;
    Some(bytes.into())
}
