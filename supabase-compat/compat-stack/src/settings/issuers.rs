//! Other issuers whose tokens are trusted: `COMPAT_JWT_ISSUERS`, and the sections
//! `[auth.third_party.*]` of a project's `config.toml` with their `SUPABASE_AUTH_THIRD_PARTY_*`.

use std::time::Duration;

use url::Url;

use super::reader::Reader;

/// The trusted issuers besides our own, and how often their keys are fetched.
#[derive(Debug, Clone)]
pub struct IssuerSettings {
    /// The issuers.
    pub trusted: Vec<TrustedIssuer>,
    /// `COMPAT_JWKS_REFRESH`: how often keys are fetched again.
    pub refresh: Duration,
    /// `COMPAT_JWKS_MIN_INTERVAL`: the shortest pause between two fetches from one issuer, even if
    /// tokens with unknown keys arrive.
    pub least_pause: Duration,
}

/// One issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedIssuer {
    /// The `iss` of its tokens.
    pub name: String,
    /// The address of its keys; without one, its OpenID configuration is used.
    pub jwks: Option<Url>,
}

impl Default for IssuerSettings {
    fn default() -> Self {
        Self {
            trusted: Vec::new(),
            refresh: Duration::from_secs(600),
            least_pause: Duration::from_secs(30),
        }
    }
}

/// Reads every issuer.
pub fn read(reader: &mut Reader) -> IssuerSettings {
    let mut settings = IssuerSettings::default();
    reader.over_with(&mut settings.trusted, &["COMPAT_JWT_ISSUERS"], "auth.jwt_issuers", |text| {
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(issuer).collect()
    });
    settings.trusted.extend(third_parties(reader));
    reader.over(&mut settings.refresh, &["COMPAT_JWKS_REFRESH"], "auth.jwks_refresh");
    reader.over(&mut settings.least_pause, &["COMPAT_JWKS_MIN_INTERVAL"], "auth.jwks_min_interval");
    settings
}

/// `https://issuer.example`, or `https://issuer.example=https://keys.example/jwks.json`.
fn issuer(text: &str) -> Result<TrustedIssuer, &'static str> {
    let (name, jwks) = match text.split_once('=') {
        Some((name, jwks)) => (name.trim(), Some(address(jwks.trim())?)),
        None => (text, None),
    };
    if jwks.is_none() {
        address(name)?;
    }
    Ok(TrustedIssuer { name: name.to_owned(), jwks })
}

fn address(text: &str) -> Result<Url, &'static str> {
    let url: Option<Url> = text.parse().ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some())
        .ok_or("issuers such as https://issuer.example or issuer=address")
}

/// The providers in a project's file, as issuers.
fn third_parties(reader: &mut Reader) -> Vec<TrustedIssuer> {
    let firebase = provider(reader, "firebase", &["project_id"]);
    let auth0 = provider(reader, "auth0", &["tenant"]);
    let region = member(reader, "auth0", "tenant_region");
    let cognito = provider(reader, "aws_cognito", &["user_pool_id", "user_pool_region"]);
    let clerk = provider(reader, "clerk", &["domain"]);
    let workos = provider(reader, "workos", &["issuer_url"]);
    let auth0 = auth0.map(|of| match &region {
        Some(region) => format!("https://{}.{region}.auth0.com", of[0]),
        None => format!("https://{}.auth0.com", of[0]),
    });
    [
        firebase.map(|of| format!("https://securetoken.google.com/{}", of[0])),
        auth0,
        cognito.map(|of| format!("https://cognito-idp.{}.amazonaws.com/{}", of[1], of[0])),
        clerk.map(|of| format!("https://{}", of[0])),
        workos.map(|of| of[0].clone()),
    ]
    .into_iter()
    .flatten()
    .map(|name| TrustedIssuer { name, jwks: None })
    .collect()
}

/// The required settings of a provider that is switched on.
fn provider(reader: &mut Reader, name: &str, members: &[&str]) -> Option<Vec<String>> {
    let (variable, key) = names(name, "enabled");
    let enabled = reader.get::<bool>(&[&variable], &key).unwrap_or_default();
    let values: Vec<_> = members.iter().map(|field| member(reader, name, field)).collect();
    if !reader.counts(&names(name, "").1, enabled) {
        return None;
    }
    for (field, _) in members.iter().zip(&values).filter(|(_, value)| value.is_none()) {
        reader.refuse(names(name, field).1, "a value: it is switched on");
    }
    values.into_iter().collect()
}

fn member(reader: &mut Reader, provider: &str, field: &str) -> Option<String> {
    let (variable, key) = names(provider, field);
    reader.text(&[&variable], &key)
}

fn names(provider: &str, field: &str) -> (String, String) {
    let variable = format!("SUPABASE_AUTH_THIRD_PARTY_{provider}_{field}").to_uppercase();
    (variable, format!("auth.third_party.{provider}.{field}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(variables: &[(&str, &str)], file: &str) -> Result<Vec<String>, Vec<String>> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let variables = variables.iter().map(owned).collect();
        let mut reader = Reader::new(variables, &file.parse().expect("toml"));
        let settings = read(&mut reader);
        let problems = reader.finish().problems;
        if !problems.is_empty() {
            return Err(problems.iter().map(ToString::to_string).collect());
        }
        let line = |issuer: &TrustedIssuer| match &issuer.jwks {
            Some(jwks) => format!("{} {jwks}", issuer.name),
            None => issuer.name.clone(),
        };
        Ok(settings.trusted.iter().map(line).collect())
    }

    #[test]
    fn issuers_accept_an_optional_key_address() {
        let list = "https://a.example/, b=https://b.example/keys?x=1 ,http://localhost:9/realms/c";
        assert_eq!(
            read_from(&[("COMPAT_JWT_ISSUERS", list)], ""),
            Ok(vec![
                "https://a.example/".to_owned(),
                "b https://b.example/keys?x=1".to_owned(),
                "http://localhost:9/realms/c".to_owned(),
            ])
        );
        for wrong in ["a.example", "ftp://a.example", "a=b", "https://a.example=/keys"] {
            assert!(read_from(&[("COMPAT_JWT_ISSUERS", wrong)], "").is_err(), "{wrong}");
        }
    }

    #[test]
    fn third_party_providers_map_to_their_issuers() {
        let file = "[auth.third_party.firebase]\nenabled = true\nproject_id = 'p'\n\
             [auth.third_party.auth0]\nenabled = true\ntenant = 't'\ntenant_region = 'us'\n\
             [auth.third_party.aws_cognito]\nenabled = true\nuser_pool_id = 'u'\n\
             user_pool_region = 'eu-west-3'\n\
             [auth.third_party.clerk]\nenabled = true\ndomain = 'c.example'\n\
             [auth.third_party.workos]\nenabled = false\nissuer_url = 'https://w.example'";
        let expected = [
            "https://securetoken.google.com/p",
            "https://t.us.auth0.com",
            "https://cognito-idp.eu-west-3.amazonaws.com/u",
            "https://c.example",
        ];
        assert_eq!(read_from(&[], file), Ok(expected.map(str::to_owned).to_vec()));
        let switched = [
            ("SUPABASE_AUTH_THIRD_PARTY_WORKOS_ENABLED", "true"),
            ("SUPABASE_AUTH_THIRD_PARTY_WORKOS_ISSUER_URL", "https://w.example"),
        ];
        assert_eq!(read_from(&switched, ""), Ok(vec!["https://w.example".to_owned()]));
    }

    #[test]
    fn enabled_provider_without_required_values_is_refused() {
        assert_eq!(
            read_from(&[], "[auth.third_party.aws_cognito]\nenabled = true"),
            Err(["user_pool_id", "user_pool_region"]
                .map(|member| {
                    let name = format!("auth.third_party.aws_cognito.{member}");
                    format!("{name}: expected a value: it is switched on")
                })
                .to_vec())
        );
    }
}
