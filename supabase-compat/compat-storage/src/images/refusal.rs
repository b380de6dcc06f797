//! Why a picture is not rendered.

/// Why a picture is not rendered. The original sends the same texts to its clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImageRefusal {
    /// The source is no picture, of an unsupported format, or damaged.
    #[error("The source image is invalid or unsupported for rendering")]
    Source,
    /// The source has too many pixels, or rendering it would take too much memory.
    #[error("The source image resolution is too large to process")]
    Resolution,
    /// The source file is too large.
    #[error("The source image file is too large to process")]
    FileSize,
    /// The queue of waiting requests is full.
    #[error("Too many requests")]
    TooMany,
    /// The request waited too long, or the rendering took too long.
    #[error("Image request timed out")]
    TimedOut,
}

impl ImageRefusal {
    /// Whether the same picture will be rejected every time.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::Source | Self::Resolution | Self::FileSize)
    }
}
