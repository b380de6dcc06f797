//! Why the optimizer skipped a picture.

/// Why a picture was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SkipReason {
    /// The picture cannot be made much smaller.
    Light,
    /// The picture is animated.
    Animated,
    /// The picture has a format that the optimizer does not rewrite.
    UnknownKind,
    /// The picture was replaced meanwhile.
    Changed,
    /// The picture was removed meanwhile.
    Gone,
    /// The file is not a picture, or is damaged.
    Broken,
    /// The picture has too many pixels or bytes.
    TooLarge,
    /// The rendering took too long, or too many others waited.
    TimedOut,
    /// The picture could not be read.
    NotRead,
    /// The smaller picture could not be stored.
    NotWritten,
    /// The renderer of storage/v1 is switched off.
    RendererDisabled,
    /// Several workers claimed the picture and never finished.
    GaveUp,
}

impl SkipReason {
    /// The code that the database stores.
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

    /// The state that the database stores: skipped for a good reason, or failed.
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
