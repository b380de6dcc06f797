//! Why a vote is rejected: the closed list. `public.vote_reasons` has the same codes, and those for
//! voided votes; a test compares the two.

/// Why a vote was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The account may not vote.
    BannedAccount,
    /// The address may not vote.
    BannedAddress,
    /// The network may not vote.
    BannedNetwork,
    /// The captcha answer is wrong or too late.
    Captcha,
    /// The captcha answer was used before.
    CaptchaSpent,
    /// There was a vote within the cooldown.
    Cooldown,
    /// The address exceeded its limit of votes.
    LimitAddress,
    /// The network exceeded its limit of votes for the server.
    LimitNetwork,
    /// The server exceeded its limit of votes in a short time.
    LimitServer,
    /// The nickname is invalid, either generally or in the game.
    Nickname,
    /// The site rejects votes under this nickname.
    NicknameRefused,
    /// The server is not among the public ones.
    NotListed,
    /// The ticket is invalid, or a required one is missing.
    Ticket,
    /// The address exceeded its rate limit in this process.
    TooFast,
}

impl Reason {
    /// Every reason, sorted by code.
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

    /// The code under which rejections are counted.
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
