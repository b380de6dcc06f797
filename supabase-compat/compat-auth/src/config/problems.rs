//! Settings that can be parsed but not used.

use compat_http::SettingProblem;
use compat_mail::SmtpTransport;

use super::Config;
use crate::model::redirect::Glob;

impl Config {
    /// Every setting that cannot be used; empty when all are valid.
    pub fn problems(&self) -> Vec<SettingProblem> {
        let mut problems = Vec::new();
        if self.uri_allow_list.iter().any(|pattern| Glob::parse(pattern.trim()).is_none()) {
            problems.push(SettingProblem::new(
                "GOTRUE_URI_ALLOW_LIST",
                "globs whose brackets and braces close",
            ));
        }
        if !self.email.brand.has_colour() {
            let expected = "a colour like #6d3ae6";
            problems.push(SettingProblem::new("COMPAT_MAILER_BRAND_COLOUR", expected));
        }
        for (kind, error) in self.email.templates.problems() {
            let name = format!("GOTRUE_MAILER_TEMPLATES_{}", kind.action().to_uppercase());
            problems.push(SettingProblem::new(name, format!("a template: {error}")));
        }
        if let Some(relay) = &self.email.smtp
            && SmtpTransport::check(relay).is_err()
        {
            problems.push(SettingProblem::new(
                "GOTRUE_SMTP_ADMIN_EMAIL",
                "an address to send from, and a relay and headers that fit it",
            ));
        }
        if self.jwt_exp <= 0 {
            problems.push(SettingProblem::new("GOTRUE_JWT_EXP", "seconds, at least one"));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::MailKind;
    use compat_mail::SmtpConfig;

    #[test]
    fn default_settings_have_no_problems() {
        assert_eq!(Config::default().problems(), []);
    }

    #[test]
    fn config_problems_name_variables_without_values() {
        let mut config = Config { jwt_exp: 0, ..Config::default() };
        config.uri_allow_list =
            vec!["https://ok.example/**".to_owned(), "https://{value".to_owned()];
        config.email.templates.bodies.insert(MailKind::Invite, "{{ .Value".to_owned());
        let admin_email = "no value".to_owned();
        config.email.smtp = Some(SmtpConfig { admin_email, ..SmtpConfig::default() });
        let problems = config.problems();
        let names: Vec<&str> = problems.iter().map(|problem| problem.name.as_ref()).collect();
        let expected = [
            "GOTRUE_URI_ALLOW_LIST",
            "GOTRUE_MAILER_TEMPLATES_INVITE",
            "GOTRUE_SMTP_ADMIN_EMAIL",
            "GOTRUE_JWT_EXP",
        ];
        assert_eq!(names, expected);
        assert!(problems.iter().all(|problem| !problem.to_string().contains("alue")));
    }
}
