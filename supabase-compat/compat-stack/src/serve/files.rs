//! Limits the number of connections by the number of files that the process may open.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// More than one process here can use; a higher limit is not requested.
const ENOUGH: u64 = 65_536;
/// Files kept back for the database, objects and the log.
const KEPT_BACK: u64 = 256;

/// Raises the soft limit as far as allowed, and returns the number of connections that it permits.
pub(super) fn connections() -> usize {
    usize::try_from(connections_within(raised_limit())).unwrap_or(usize::MAX)
}

fn raised_limit() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return 1024 };
    let target = hard.min(ENOUGH);
    match soft < target && setrlimit(Resource::RLIMIT_NOFILE, target, hard).is_ok() {
        true => target,
        false => soft.min(ENOUGH),
    }
}

fn connections_within(files: u64) -> u64 {
    files.saturating_sub(KEPT_BACK).max(files / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_limit_reserves_some_file_descriptors() {
        assert_eq!(connections_within(ENOUGH), 65_280);
        assert_eq!(connections_within(1024), 768);
        assert_eq!(connections_within(256), 128);
    }

    #[test]
    fn the_soft_limit_is_raised_and_stays_raised() {
        let raised = raised_limit();
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
        assert!(soft >= hard.min(ENOUGH));
        assert_eq!(raised_limit(), raised);
    }
}
