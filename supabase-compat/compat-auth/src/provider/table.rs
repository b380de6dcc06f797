//! The providers we know, as data.

/// A provider's endpoints and the names of its claims.
#[derive(Debug, Clone, Copy)]
pub struct Provider {
    /// The name in `?provider=`.
    pub name: &'static str,
    /// The default endpoints.
    pub place: EndpointSource,
    /// Scopes that are requested besides the application's.
    pub scopes: &'static str,
    /// The pointers to its claims in the user document.
    pub map: ClaimMap,
    /// Whether it supports PKCE.
    pub pkce: bool,
}

/// How a provider's addresses are known.
#[derive(Debug, Clone, Copy)]
pub enum EndpointSource {
    /// By OpenID Connect discovery below this issuer; empty when only the operator knows it.
    Issuer(&'static str),
    /// Fixed addresses. `{base}` stands for `base`, which the operator's URL replaces together with
    /// `api`.
    Fixed {
        base: &'static str,
        authorize: &'static str,
        token: &'static str,
        api: &'static str,
        /// The path of the API below an operator's own URL.
        own_api: &'static str,
        user: &'static str,
    },
}

/// JSON pointers into the user document.
#[derive(Debug, Clone, Copy)]
pub struct ClaimMap {
    pub sub: &'static str,
    pub email: &'static str,
    pub verified: EmailVerification,
    pub name: &'static str,
    pub user_name: &'static str,
    pub picture: &'static str,
}

/// How to find out whether an address is verified.
#[derive(Debug, Clone, Copy)]
pub enum EmailVerification {
    At(&'static str),
    /// The provider only gives out verified ones.
    Always,
    /// The provider does not say.
    Never,
    /// A list of addresses below this path of the API, as GitHub has it.
    Listed(&'static str),
}

/// The standard claims of OpenID Connect.
const OIDC: ClaimMap = ClaimMap {
    sub: "/sub",
    email: "/email",
    verified: EmailVerification::At("/email_verified"),
    name: "/name",
    user_name: "/preferred_username",
    picture: "/picture",
};

const fn oidc(name: &'static str, issuer: &'static str, scopes: &'static str) -> Provider {
    Provider { name, place: EndpointSource::Issuer(issuer), scopes, map: OIDC, pkce: true }
}

/// Every provider with a name of its own.
const PROVIDERS: &[Provider] = &[
    oidc("google", "https://accounts.google.com", "openid email profile"),
    oidc("gitlab", "https://gitlab.com", "openid email profile"),
    oidc("azure", "https://login.microsoftonline.com/common/v2.0", "openid email profile"),
    oidc("linkedin_oidc", "https://www.linkedin.com/oauth", "openid email profile"),
    oidc("slack_oidc", "https://slack.com", "openid email profile"),
    oidc("apple", "https://appleid.apple.com", "email name"),
    oidc("keycloak", "", "openid email profile"),
    Provider {
        name: "github",
        place: EndpointSource::Fixed {
            base: "https://github.com",
            authorize: "/login/oauth/authorize",
            token: "/login/oauth/access_token",
            api: "https://api.github.com",
            own_api: "/api/v3",
            user: "/user",
        },
        scopes: "user:email",
        map: ClaimMap {
            sub: "/id",
            email: "/email",
            verified: EmailVerification::Listed("/user/emails"),
            name: "/name",
            user_name: "/login",
            picture: "/avatar_url",
        },
        pkce: true,
    },
    Provider {
        name: "discord",
        place: EndpointSource::Fixed {
            base: "https://discord.com",
            authorize: "/oauth2/authorize",
            token: "/api/oauth2/token",
            api: "https://discord.com",
            own_api: "",
            user: "/api/users/@me",
        },
        scopes: "email identify",
        map: ClaimMap {
            sub: "/id",
            email: "/email",
            verified: EmailVerification::At("/verified"),
            name: "/global_name",
            user_name: "/username",
            picture: "/avatar",
        },
        pkce: true,
    },
    Provider {
        name: "twitch",
        place: EndpointSource::Fixed {
            base: "https://id.twitch.tv",
            authorize: "/oauth2/authorize",
            token: "/oauth2/token",
            api: "https://api.twitch.tv",
            own_api: "",
            user: "/helix/users",
        },
        scopes: "user:read:email",
        map: ClaimMap {
            sub: "/data/0/id",
            email: "/data/0/email",
            verified: EmailVerification::Always,
            name: "/data/0/display_name",
            user_name: "/data/0/login",
            picture: "/data/0/profile_image_url",
        },
        pkce: false,
    },
    Provider {
        name: "facebook",
        place: EndpointSource::Fixed {
            base: "https://www.facebook.com",
            authorize: "/dialog/oauth",
            token: "/oauth/access_token",
            api: "https://graph.facebook.com",
            own_api: "",
            user: "/me?fields=email,first_name,last_name,name,picture",
        },
        scopes: "email",
        map: ClaimMap {
            sub: "/id",
            email: "/email",
            verified: EmailVerification::Always,
            name: "/name",
            user_name: "/name",
            picture: "/picture/data/url",
        },
        pkce: false,
    },
    Provider {
        name: "spotify",
        place: EndpointSource::Fixed {
            base: "https://accounts.spotify.com",
            authorize: "/authorize",
            token: "/api/token",
            api: "https://api.spotify.com",
            own_api: "",
            user: "/v1/me",
        },
        scopes: "user-read-email",
        map: ClaimMap {
            sub: "/id",
            email: "/email",
            verified: EmailVerification::Never,
            name: "/display_name",
            user_name: "/display_name",
            picture: "/images/0/url",
        },
        pkce: true,
    },
    Provider {
        name: "kakao",
        place: EndpointSource::Fixed {
            base: "https://kauth.kakao.com",
            authorize: "/oauth/authorize",
            token: "/oauth/token",
            api: "https://kapi.kakao.com",
            own_api: "",
            user: "/v2/user/me",
        },
        scopes: "account_email profile_image profile_nickname",
        map: ClaimMap {
            sub: "/id",
            email: "/kakao_account/email",
            verified: EmailVerification::At("/kakao_account/is_email_verified"),
            name: "/kakao_account/profile/nickname",
            user_name: "/kakao_account/profile/nickname",
            picture: "/kakao_account/profile/profile_image_url",
        },
        pkce: false,
    },
    Provider {
        name: "zoom",
        place: EndpointSource::Fixed {
            base: "https://zoom.us",
            authorize: "/oauth/authorize",
            token: "/oauth/token",
            api: "https://api.zoom.us",
            own_api: "",
            user: "/v2/users/me",
        },
        scopes: "",
        map: ClaimMap {
            sub: "/id",
            email: "/email",
            verified: EmailVerification::At("/verified"),
            name: "/display_name",
            user_name: "/display_name",
            picture: "/pic_url",
        },
        pkce: true,
    },
    Provider {
        name: "figma",
        place: EndpointSource::Fixed {
            base: "https://www.figma.com",
            authorize: "/oauth",
            token: "/api/oauth/token",
            api: "https://api.figma.com",
            own_api: "",
            user: "/v1/me",
        },
        scopes: "current_user:read",
        map: ClaimMap {
            sub: "/id",
            email: "/email",
            verified: EmailVerification::Always,
            name: "/handle",
            user_name: "/handle",
            picture: "/img_url",
        },
        pkce: false,
    },
];

/// The names of all known providers, for parsing the settings.
pub fn provider_names() -> impl Iterator<Item = &'static str> {
    PROVIDERS.iter().map(|provider| provider.name)
}

/// The row of any other name: an OpenID Connect issuer that only the operator knows.
const CUSTOM: Provider = oidc("custom", "", "openid email profile");

impl Provider {
    /// The row of a name.
    pub fn from_name(name: &str) -> Self {
        PROVIDERS.iter().find(|provider| provider.name == name).copied().unwrap_or(CUSTOM)
    }

    /// The well-known issuer of a provider, if it has one.
    pub fn known_issuer(name: &str) -> Option<&'static str> {
        match Self::from_name(name).place {
            EndpointSource::Issuer(issuer) if !issuer.is_empty() => Some(issuer),
            _ => None,
        }
    }

    /// The issuer to discover, if the provider uses discovery: the configured address, or the
    /// well-known one.
    pub fn issuer<'a>(&self, url: Option<&'a str>) -> Option<&'a str>
    where
        Self: 'a,
    {
        match self.place {
            EndpointSource::Issuer(known) => Some(url.unwrap_or(known)),
            EndpointSource::Fixed { .. } => None,
        }
    }
}
