//! Why a picture is not rendered.

/// Why a picture is not rendered. The texts are what the original tells its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImageRefusal {
    /// It is no picture, none of a kind that is read here, or a broken one.
    #[error("The source image is invalid or unsupported for rendering")]
    Source,
    /// It has more pixels than are read, or would take more memory than there is for it.
    #[error("The source image resolution is too large to process")]
    Resolution,
    /// Its file is longer than is read.
    #[error("The source image file is too large to process")]
    FileSize,
    /// So many wait already that this one may not.
    #[error("Too many requests")]
    TooMany,
    /// Its turn did not come in time, or the work took too long.
    #[error("Image request timed out")]
    TimedOut,
}

impl ImageRefusal {
    /// Whether the same picture will be refused each time.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::Source | Self::Resolution | Self::FileSize)
    }
}
