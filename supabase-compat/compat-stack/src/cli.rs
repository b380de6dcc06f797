//! The command line that every binary of the stack shares.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use compat_http::{Clock, Entropy};

use crate::settings::{self, Reader, SettingsError};
use crate::{ProjectKeys, Service, start_logging};

/// Where everything is kept.
#[derive(Debug, Clone, Args)]
pub struct DataArguments {
    /// Folder for the database, the keys and files [default: /var/lib/<program> as root, else
    /// below the user's own data folder]
    #[arg(long, value_name = "DIR", env = "DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// A file in the format of a Supabase project's config.toml
    #[arg(long, value_name = "FILE", env = "CONFIG_FILE")]
    pub config: Option<PathBuf>,
}

impl DataArguments {
    /// The folder given, or the program's own.
    pub fn resolve(&self) -> PathBuf {
        let given = self.data_dir.clone().unwrap_or_else(default_data_dir);
        std::path::absolute(&given).unwrap_or(given)
    }
}

/// What `serve` can be told on the command line.
#[derive(Debug, Clone, Args)]
pub struct ServeArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// Address to listen on [default: 127.0.0.1]
    #[arg(long)]
    pub host: Option<IpAddr>,
    /// Port to listen on; 0 takes a free one [default: 8000]
    #[arg(long)]
    pub port: Option<u16>,
    /// Port for /live, /ready and /metrics, on the same address
    #[arg(long)]
    pub admin_port: Option<u16>,
    /// Run these services only
    #[arg(long, value_enum, num_args = 1.., value_name = "SERVICE")]
    pub only: Vec<Service>,
}

impl ServeArguments {
    /// The services to run.
    pub fn services(&self) -> Vec<Service> {
        if self.only.is_empty() { Service::ALL.to_vec() } else { self.only.clone() }
    }
}

/// What `keys` can be told.
#[derive(Debug, Clone, Args)]
pub struct KeysArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// Also print what further processes need to share the keys; keep it secret
    #[arg(long)]
    pub private: bool,
}

/// Opens the settings and starts logging as they say.
///
/// # Errors
/// When the file named on the command line cannot be read.
pub fn open(data: &DataArguments) -> Result<Reader, SettingsError> {
    let mut reader = settings::reader(data.config.as_deref())?;
    let (level, format) = settings::log_settings(&mut reader);
    start_logging(&level, format);
    Ok(reader)
}

/// The command `keys`: prints the project's keys as an environment file, making them when the
/// folder has none yet.
///
/// # Errors
/// When settings or the folder cannot be used.
pub fn print_keys(arguments: &KeysArguments) -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = open(&arguments.data)?;
    let given = settings::keys(&mut reader);
    let folder = arguments.data.resolve();
    let keys = ProjectKeys::load_or_create(&folder, &given, &Clock::system(), &Entropy::system())?;
    let text =
        if arguments.private { keys.private_environment_file() } else { keys.environment_file() };
    #[expect(clippy::print_stdout, reason = "what was asked for")]
    {
        print!("{text}");
    }
    Ok(())
}

fn default_data_dir() -> PathBuf {
    let program = std::env::args_os()
        .next()
        .and_then(|path| PathBuf::from(path).file_stem().map(PathBuf::from))
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_PKG_NAME")));
    if nix::unistd::geteuid().is_root() {
        return PathBuf::from("/var/lib").join(program);
    }
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    variable("XDG_DATA_HOME")
        .or_else(|| Some(variable("HOME")?.join(".local/share")))
        .unwrap_or_else(|| PathBuf::from("."))
        .join(program)
}
