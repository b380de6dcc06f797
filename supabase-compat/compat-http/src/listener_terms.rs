//! Terms for a websocket that another part of this process passes on.

use std::sync::Arc;

use tokio_util::sync::{CancellationToken, DropGuard};

/// Terms of a websocket that only listens: broadcasts and tracks of its client are refused, and the
/// part that passed it on can end it. An extension of the request that opens the socket.
#[derive(Debug, Clone)]
pub struct ListenerTerms {
    end: CancellationToken,
    /// Cancels the token when the socket is gone, for tasks that wait on the token.
    _held: Arc<DropGuard>,
}

impl Default for ListenerTerms {
    fn default() -> Self {
        let end = CancellationToken::new();
        Self { _held: Arc::new(end.clone().drop_guard()), end }
    }
}

impl ListenerTerms {
    /// The token that ends the socket when it is cancelled. It is also cancelled when the socket is
    /// gone or was never opened.
    pub fn end(&self) -> CancellationToken {
        self.end.clone()
    }

    /// Waits until the token is cancelled.
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
