//! The memory and processor time of a process, read from Linux's `/proc`. Other systems measure
//! nothing, so these limits do not apply there.

use std::fs;
use std::time::Duration;

/// Clock ticks per second in `/proc`; fixed on Linux.
const TICKS: u64 = 100;

/// Memory and processor time of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Usage {
    /// Bytes of anonymous memory, that is without mapped files and shared memory.
    pub memory: u64,
    /// Processor time.
    pub cpu: Duration,
}

/// Measures a running process.
pub(super) fn of(pid: i32) -> Option<Usage> {
    let memory = memory(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?)?;
    let cpu = cpu(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?;
    Some(Usage { memory, cpu })
}

fn memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Reads the processor time. Fields are counted from the last bracket, because the process name in
/// brackets may contain anything.
fn cpu(stat: &str) -> Option<Duration> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    let ticks = next()?.checked_add(next()?)?;
    Some(Duration::from_millis(ticks.saturating_mul(1000 / TICKS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_read_from_what_linux_writes() {
        assert_eq!(memory("Name:\tdeno\nRssAnon:\t   9700 kB\nRssFile:\t1 kB\n"), Some(9_932_800));
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 1 0 0 0 150 50 0 0 20 0 9 0 1 1 1";
        assert_eq!(cpu(stat), Some(Duration::from_secs(2)));
        assert_eq!((memory(""), cpu("")), (None, None));
    }
}
