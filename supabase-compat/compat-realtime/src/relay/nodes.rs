//! The other processes, and when each was heard.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

/// The processes that are known to live.
pub(super) struct Nodes {
    heard: HashMap<Uuid, Instant>,
    patience: Duration,
}

impl Nodes {
    /// None yet; one that is silent for longer than `patience` has died.
    pub fn new(patience: Duration) -> Self {
        Self { heard: HashMap::new(), patience }
    }

    /// Notes that one was heard; gives whether it is new.
    pub fn hear(&mut self, node: Uuid) -> bool {
        self.heard.insert(node, Instant::now()).is_none()
    }

    pub fn remove(&mut self, node: &Uuid) {
        self.heard.remove(node);
    }

    /// Nobody could be heard until now, so that nobody was silent.
    pub fn excuse(&mut self) {
        self.heard.values_mut().for_each(|heard| *heard = Instant::now());
    }

    /// Forgets those that have died, and names them.
    pub fn remove_silent(&mut self) -> Vec<Uuid> {
        let dead = |heard: &Instant| heard.elapsed() > self.patience;
        let nodes: Vec<Uuid> =
            self.heard.iter().filter(|(_, heard)| dead(heard)).map(|(node, _)| *node).collect();
        nodes.iter().for_each(|node| self.remove(node));
        nodes
    }

    pub fn is_empty(&self) -> bool {
        self.heard.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn silent_process_is_forgotten_after_its_patience() {
        let mut nodes = Nodes::new(Duration::from_secs(9));
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert!(nodes.hear(one) && nodes.hear(two) && !nodes.hear(one));
        tokio::time::advance(Duration::from_secs(6)).await;
        nodes.hear(two);
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(nodes.remove_silent(), [one]);
        nodes.excuse();
        assert!(nodes.remove_silent().is_empty() && !nodes.is_empty());
    }
}
