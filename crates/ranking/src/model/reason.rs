//! Why a vote does not count: the closed list. `public.vote_reasons` has the same, beside those for
//! which votes are taken back later; a test holds the two against each other.

/// Why a vote was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The account may not vote.
    BannedAccount,
    /// The address may not.
    BannedAddress,
    /// The network may not.
    BannedNetwork,
    /// The captcha was not passed, or too late.
    Captcha,
    /// Its answer was used before.
    CaptchaSpent,
    /// There was a vote within the cooldown.
    Cooldown,
    /// More votes than an address has.
    LimitAddress,
    /// More votes than a network has for a server.
    LimitNetwork,
    /// More votes than a server gets at once.
    LimitServer,
    /// Nobody can be called so, or nobody in the game.
    Nickname,
    /// The site takes no votes under that name.
    NicknameRefused,
    /// The server is not among the public ones.
    NotListed,
    /// The ticket does not hold, or is wanted.
    Ticket,
    /// More tries than one address has with a process.
    TooFast,
}

impl Reason {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 14] = [
        Self::BannedAccount,
        Self::BannedAddress,
        Self::BannedNetwork,
        Self::Captcha,
        Self::CaptchaSpent,
        Self::Cooldown,
        Self::LimitAddress,
        Self::LimitNetwork,
        Self::LimitServer,
        Self::Nickname,
        Self::NicknameRefused,
        Self::NotListed,
        Self::Ticket,
        Self::TooFast,
    ];

    /// The code it is counted under.
    pub fn code(self) -> &'static str {
        match self {
            Self::BannedAccount => "banned_account",
            Self::BannedAddress => "banned_address",
            Self::BannedNetwork => "banned_network",
            Self::Captcha => "captcha",
            Self::CaptchaSpent => "captcha_spent",
            Self::Cooldown => "cooldown",
            Self::LimitAddress => "limit_address",
            Self::LimitNetwork => "limit_network",
            Self::LimitServer => "limit_server",
            Self::Nickname => "nickname",
            Self::NicknameRefused => "nickname_refused",
            Self::NotListed => "not_listed",
            Self::Ticket => "ticket",
            Self::TooFast => "too_fast",
        }
    }
}
