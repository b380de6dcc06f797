//! Why the optimizer left a picture as it is.

/// Why a picture was left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SkipReason {
    /// It is as small as it may become.
    Light,
    /// It moves.
    Animated,
    /// It is of a kind nobody here writes anew.
    UnknownKind,
    /// Somebody put another in its place meanwhile.
    Changed,
    /// It was removed meanwhile.
    Gone,
    /// It is no picture, or a torn one.
    Broken,
    /// It has more pixels or bytes than are read.
    TooLarge,
    /// It took too long, or too many waited.
    TimedOut,
    /// Its bytes could not be read.
    NotRead,
    /// The smaller one could not be stored.
    NotWritten,
    /// The renderer of storage/v1 is switched off.
    RendererDisabled,
    /// Whoever worked on it never came back, several times.
    GaveUp,
}

impl SkipReason {
    /// The word the database keeps.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Animated => "animated",
            Self::UnknownKind => "unknown_kind",
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Broken => "broken",
            Self::TooLarge => "too_large",
            Self::TimedOut => "timed_out",
            Self::NotRead => "unread",
            Self::NotWritten => "unwritten",
            Self::RendererDisabled => "renderer_off",
            Self::GaveUp => "gave_up",
        }
    }

    /// Whether it is as it should be, or something went wrong.
    pub(crate) fn state(self) -> &'static str {
        match self {
            Self::Light | Self::Animated | Self::UnknownKind | Self::Changed | Self::Gone => {
                "skipped"
            }
            Self::Broken
            | Self::TooLarge
            | Self::TimedOut
            | Self::NotRead
            | Self::NotWritten
            | Self::RendererDisabled
            | Self::GaveUp => "failed",
        }
    }
}
