//! Advice on settings and keys that leave a service open.

use serde_json::json;

use crate::{Category, Level, Notice};

/// Facts about the configuration of the services.
#[derive(Debug, Clone, Default)]
pub struct SettingAdvice {
    /// Whether the services can be reached from other machines.
    pub is_public: bool,
    /// Whether all development features are off.
    pub is_production: bool,
    /// Whether other programs sign in to the database with the official CLI's default password.
    pub has_default_password: bool,
    /// Whether publicly known keys are configured.
    pub has_known_keys: bool,
    /// Whether the secret that signs tokens is shorter than 32 bytes.
    pub has_short_secret: bool,
    /// Whether agents may write without requesting it in their address.
    pub agents_write: bool,
    /// Whether the public address is plain HTTP and leads beyond this machine.
    pub is_unencrypted: bool,
    /// Whether the console can be reached from other machines by plain HTTP.
    pub has_open_console: bool,
    /// Whether emails of the services are not delivered.
    pub loses_mail: bool,
}

/// A rule on the settings.
struct SettingRule {
    name: &'static str,
    title: &'static str,
    level: Level,
    description: &'static str,
    remediation: &'static str,
    applies: fn(&SettingAdvice) -> bool,
}

const RULES: [SettingRule; 8] = [
    SettingRule {
        name: "known_api_keys",
        title: "Known API Keys",
        level: Level::Error,
        description: "The API keys or the JWT secret are those of an example that everybody can read.",
        remediation: "Remove ANON_KEY, SERVICE_ROLE_KEY and JWT_SECRET from the settings: the services \
            make their own (supabase-compat keys prints them).",
        applies: |known| known.has_known_keys,
    },
    SettingRule {
        name: "short_jwt_secret",
        title: "Short JWT Secret",
        level: Level::Error,
        description: "The secret that signs tokens is shorter than 32 bytes and can be guessed.",
        remediation: "Set JWT_SECRET to 32 random bytes or more (openssl rand -hex 32), or remove it.",
        applies: |known| known.has_short_secret,
    },
    SettingRule {
        name: "default_database_password",
        title: "Default Database Password",
        level: Level::Error,
        description: "The database lets programs in with the password of the official CLI.",
        remediation: "Set POSTGRES_PASSWORD to a random value.",
        applies: |known| known.has_default_password && known.is_public,
    },
    SettingRule {
        name: "development_in_public",
        title: "Development Mode in Public",
        level: Level::Warn,
        description: "The services are reached from elsewhere and run with what is for development.",
        remediation: "Set COMPAT_ENVIRONMENT=production.",
        applies: |known| known.is_public && !known.is_production,
    },
    SettingRule {
        name: "unencrypted_public_url",
        title: "Unencrypted Public Address",
        level: Level::Warn,
        description: "Passwords and tokens travel unencrypted: the public address begins with http:.",
        remediation: "Put a proxy with TLS before the services and set API_EXTERNAL_URL to its https \
            address.",
        applies: |known| known.is_unencrypted,
    },
    SettingRule {
        name: "agents_may_write",
        title: "Agents May Write",
        level: Level::Warn,
        description: "Every agent that connects to /mcp with a secret key may change rows and schema.",
        remediation: "Remove MCP_READ_ONLY=false; an agent that has to write connects with \
            ?read_only=false.",
        applies: |known| known.agents_write,
    },
    SettingRule {
        name: "unencrypted_console",
        title: "Unencrypted Console",
        level: Level::Error,
        description: "The console is reached from elsewhere (CONSOLE=on), and passwords of operators travel \
            unencrypted.",
        remediation: "Put a proxy with TLS before the services and set API_EXTERNAL_URL to its https \
            address, or set CONSOLE=loopback.",
        applies: |known| known.has_open_console,
    },
    SettingRule {
        name: "no_mail_relay",
        title: "No Mail Relay",
        level: Level::Warn,
        description: "Mails reach nobody: people cannot confirm an address or choose a new password.",
        remediation: "Set SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASS and SMTP_ADMIN_EMAIL.",
        applies: |known| known.loses_mail,
    },
];

impl SettingAdvice {
    /// The notices that follow from these facts.
    pub fn notices(&self) -> Vec<Notice> {
        RULES.iter().filter(|rule| (rule.applies)(self)).map(SettingRule::notice).collect()
    }
}

impl SettingRule {
    fn notice(&self) -> Notice {
        Notice {
            name: self.name,
            title: self.title,
            level: self.level,
            facing: "EXTERNAL",
            categories: [Category::Security],
            description: self.description,
            detail: self.description.to_owned(),
            remediation: self.remediation.to_owned(),
            metadata: json!({"type": "setting", "name": self.name}),
            cache_key: self.name.to_owned(),
            statement: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_fault_need_no_advice() {
        assert_eq!(SettingAdvice::default().notices(), []);
        let all = SettingAdvice {
            is_public: true,
            is_production: false,
            has_default_password: true,
            has_known_keys: true,
            has_short_secret: true,
            agents_write: true,
            is_unencrypted: true,
            has_open_console: true,
            loses_mail: true,
        };
        assert_eq!(all.notices().len(), 8);
    }
}
