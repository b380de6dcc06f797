//! A websocket that another part of this process passes on, and what it says of it.

use std::sync::Arc;

use tokio_util::sync::{CancellationToken, DropGuard};

/// Terms of a websocket that listens only: what its client broadcasts or tracks is refused, and it ends when
/// whoever passed it on says so. An extension of the request that opens it.
#[derive(Debug, Clone)]
pub struct ListenerTerms {
    end: CancellationToken,
    /// Cancels the token when the socket is gone, for whoever waits beside it.
    _held: Arc<DropGuard>,
}

impl Default for ListenerTerms {
    fn default() -> Self {
        let end = CancellationToken::new();
        Self { _held: Arc::new(end.clone().drop_guard()), end }
    }
}

impl ListenerTerms {
    /// Cancelled, it ends the socket. It is cancelled as well when the socket is gone, or was never opened.
    pub fn end(&self) -> CancellationToken {
        self.end.clone()
    }

    /// Waits for the end.
    pub async fn ended(&self) {
        self.end.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_end_with_the_last_holder() {
        let terms = ListenerTerms::default();
        let (end, other) = (terms.end(), terms.clone());
        drop(terms);
        assert!(!end.is_cancelled());
        drop(other);
        assert!(end.is_cancelled());
    }
}
