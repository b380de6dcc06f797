//! The command `doctor`: checks whether the services could start here. It changes nothing.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use compat_http::Clock;
use compat_pg::embedded::{Preflight, preflight};
use compat_pg::{ConnectConfig, PgError, Pools};
use compat_stack::mail::SmtpTransport;
use compat_stack::{
    AdviceLevel as Level, ConnectedDatabase, ListenError, Settings, VERSION_AND_COMMIT, database,
    listen, print_line,
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::timeout;

/// Time limit for an answer of a database or a mail relay.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for the advice.
const ADVICE: Duration = Duration::from_secs(30);
/// The largest accepted difference between two clocks, in seconds, at which tokens stay valid on
/// both.
const LARGEST_DIFFERENCE: f64 = 5.0;
/// Tolerance for an unpacked program's modification time, which may be written in another time
/// zone.
const DAY: Duration = Duration::from_secs(24 * 3600);

/// The services could not start, or not do all of their work.
#[derive(Debug, thiserror::Error)]
#[error("{0} of these stand in the way")]
pub struct DoctorError(usize);

/// The result of one check.
struct Finding {
    subject: &'static str,
    /// What the check found; an error also says what to do about it.
    state: Result<String, String>,
}

/// The command `doctor`: prints a line for each requirement of a start.
///
/// # Errors
/// A requirement is not met. Each such line says what to do about it.
pub async fn examine(settings: &Settings) -> Result<(), DoctorError> {
    let mut findings = vec![program()];
    let clock = Clock::system();
    // The URL that a start would use.
    let database_url = settings.database.url.as_ref().or(settings.database.acting_url.as_ref());
    let holder = match database_url {
        Some(url) => {
            findings.push(operators_database(url, &clock).await);
            None
        }
        None => embedded(settings, &mut findings).await,
    };
    let port = SocketAddr::new(settings.host, settings.port);
    findings.push(Finding { subject: "port", state: port_state(port, holder).await });
    if let Some((port, _)) = settings.database.password_port() {
        let port = SocketAddr::from(([127, 0, 0, 1], port));
        let state = port_state(port, holder).await.map_err(|_| {
            format!("{port} is taken; stop what listens there, or choose another with --db-port")
        });
        findings.push(Finding { subject: "database port", state });
    }
    findings.push(Finding { subject: "clock", state: clock_state(&clock) });
    findings.push(Finding { subject: "mail", state: mail_state(settings).await });
    for Finding { subject, state } in &findings {
        let (mark, text) = match state {
            Ok(text) => ("ok", text),
            Err(text) => ("PROBLEM", text),
        };
        print_line(&format!("{mark:<8} {subject:<14} {text}"));
    }
    if database_url.is_some() || holder.is_some() {
        print_advice(settings).await;
    }
    match findings.iter().filter(|finding| finding.state.is_err()).count() {
        0 => Ok(()),
        count => Err(DoctorError(count)),
    }
}

/// Prints advice on a running database, which does not affect the exit code.
async fn print_advice(settings: &Settings) {
    let read = async {
        let connected = ConnectedDatabase::open(settings).await?;
        let notices = compat_stack::advice(&connected.owner, settings).await;
        connected.leave().await;
        notices
    };
    let notices = match timeout(ADVICE, read).await {
        Ok(Ok(notices)) => notices,
        Ok(Err(error)) => return print_line(&format!("{:<8} {:<14} {error}", "?", "advice")),
        Err(_) => {
            return print_line("?        advice         the database does not answer in time");
        }
    };
    if notices.is_empty() {
        print_line(&format!("{:<8} {:<14} nothing to advise", "ok", "advice"));
    }
    for notice in notices {
        let level = match notice.level {
            Level::Error => "ERROR",
            Level::Warn => "WARN",
            Level::Info => "INFO",
        };
        print_line(&format!("{level:<8} {}: {}", notice.name, notice.detail));
        print_line(&format!("{:<8} {}", "", notice.statement.unwrap_or(notice.remediation)));
    }
}

fn program() -> Finding {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let state = Ok(format!("version {VERSION_AND_COMMIT} for {os} on {arch}"));
    Finding { subject: "program", state }
}

/// Checks the embedded server and its folder; returns the process that runs it already.
async fn embedded(settings: &Settings, findings: &mut Vec<Finding>) -> Option<i32> {
    let config = database::embedded(settings);
    let home = config.home.display().to_string();
    let examined = tokio::task::spawn_blocking(move || preflight(&config)).await;
    let usable = match examined {
        Ok(usable) => usable.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let Preflight { free, version, source, holder } = match usable {
        Ok(usable) => usable,
        Err(error) => {
            findings.push(Finding { subject: "database", state: Err(error) });
            return None;
        }
    };
    let used = holder.map(|pid| format!(", in use by process {pid}")).unwrap_or_default();
    let folder = format!("{home}, {:.1} GB free{used}", free as f64 / 1000.0);
    findings.push(Finding { subject: "data folder", state: Ok(folder) });
    let server = match (version, source) {
        (Some(version), _) => format!("PostgreSQL {version}, embedded"),
        (None, source) => {
            format!("no PostgreSQL here; the first start gets one from {}", source.unwrap_or("npm"))
        }
    };
    findings.push(Finding { subject: "database", state: Ok(server) });
    holder
}

/// Checks that the operator's server answers, is new enough, and has the same time.
async fn operators_database(url: &SecretString, clock: &Clock) -> Finding {
    let answered = timeout(TIMEOUT, ask_database(url.expose_secret(), clock)).await;
    let late = || Err("the server in DATABASE_URL does not answer; see that it runs".to_owned());
    Finding { subject: "database", state: answered.unwrap_or_else(|_| late()) }
}

async fn ask_database(url: &str, clock: &Clock) -> Result<String, String> {
    let unreachable = |error: PgError| match error {
        PgError::Version { .. } => format!("DATABASE_URL: {error}"),
        _ => format!("DATABASE_URL: {error}; see that the server runs and takes this login"),
    };
    let pools = Pools::connect(&ConnectConfig::new(url)).await.map_err(unreachable)?;
    let version = pools.owner.server_version().await;
    let before = clock.now();
    let theirs = pools.owner.now().await;
    pools.close().await;
    let (version, theirs) = (version.map_err(unreachable)?, theirs.map_err(unreachable)?);
    let major = version / 10_000;
    let apart = (theirs - before).as_seconds_f64();
    if apart.abs() > LARGEST_DIFFERENCE {
        return Err(format!(
            "the clock of the server in DATABASE_URL is {apart:.0} s from this machine's; set both \
             by NTP"
        ));
    }
    Ok(format!("PostgreSQL {major} at DATABASE_URL, its clock {apart:+.1} s from ours"))
}

async fn port_state(address: SocketAddr, holder: Option<i32>) -> Result<String, String> {
    match (listen(address).await, holder) {
        (Ok(_), _) => Ok(format!("{address} is free")),
        (Err(_), Some(pid)) => {
            Ok(format!("{address} is taken, and process {pid} serves this data"))
        }
        (Err(error), None) => Err(ListenError::to_string(&error)),
    }
}

/// A clock that is behind the program's own build is wrong: it is at the epoch, or its battery is
/// empty.
fn clock_state(clock: &Clock) -> Result<String, String> {
    let now = SystemTime::from(clock.now());
    let time = clock.now().format("%Y-%m-%d %H:%M:%S UTC");
    let built = std::env::current_exe().and_then(|program| program.metadata()?.modified());
    match built {
        Ok(built) if now + DAY < built => Err(format!(
            "the clock says {time}, which is before this program was built; set the time, or have \
             NTP set it (timedatectl set-ntp true)"
        )),
        _ => Ok(time.to_string()),
    }
}

async fn mail_state(settings: &Settings) -> Result<String, String> {
    let Some(relay) = &settings.auth.email.smtp else {
        return match settings.production {
            true => Err("no mail is delivered; name a relay in SMTP_HOST".to_owned()),
            false => Ok("caught in the mailbox (SMTP_HOST names no relay)".to_owned()),
        };
    };
    let named = format!("{}:{}", relay.host, relay.port);
    let unreachable_relay = |error: &dyn std::fmt::Display| {
        format!("the relay {named} does not take mails: {error}; see SMTP_HOST and SMTP_PORT")
    };
    let transport = SmtpTransport::new(relay).map_err(|error| unreachable_relay(&error))?;
    match timeout(TIMEOUT, transport.greet()).await {
        Ok(Ok(())) => Ok(format!("the relay {named} takes mails")),
        Ok(Err(error)) => Err(unreachable_relay(&error)),
        Err(_) => Err(unreachable_relay(&"it does not answer")),
    }
}
