//! The command-line arguments for settings, for every binary of the stack.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::service::Service;
use crate::services;

/// The data folder and the configuration file.
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
    /// The given folder, or the program's default.
    pub fn resolve(&self) -> PathBuf {
        let folder = self.data_dir.clone().unwrap_or_else(default_data_dir);
        std::path::absolute(&folder).unwrap_or(folder)
    }
}

/// The command-line arguments of `serve`.
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
    /// Port for /live, /ready and /metrics
    #[arg(long)]
    pub admin_port: Option<u16>,
    /// Address of that port, which needs no authentication [default: 127.0.0.1]
    #[arg(long)]
    pub admin_host: Option<IpAddr>,
    /// Port of this machine at which the embedded PostgreSQL lets other programs in, with the password
    /// POSTGRES_PASSWORD; 0 takes a free one [default: none; `up`: `port` below `[db]`, else 54322]
    #[arg(long, value_name = "PORT", env = "DB_PORT")]
    pub db_port: Option<u16>,
    /// Folder of functions in TypeScript, a folder each [default: `functions` beside the config file]
    #[arg(long, value_name = "DIR")]
    pub functions: Option<PathBuf>,
    /// Secrets of these functions [default: `.env` in that folder]
    #[arg(long, value_name = "FILE")]
    pub functions_env_file: Option<PathBuf>,
    /// Run these services only
    #[arg(long, num_args = 1.., value_name = "SERVICE", value_parser = service())]
    pub only: Vec<&'static Service>,
}

impl ServeArguments {
    /// The services to run, each once.
    pub fn services(&self) -> Vec<&'static Service> {
        let is_wanted = |service: &&Service| self.only.is_empty() || self.only.contains(service);
        services::ALL.into_iter().filter(is_wanted).collect()
    }
}

fn service() -> impl clap::builder::TypedValueParser<Value = &'static Service> {
    PossibleValuesParser::new(services::ALL.map(|service| service.name))
        .try_map(|name| services::by_name(&name).ok_or("no such service"))
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        serve: ServeArguments,
    }

    fn services(arguments: &[&str]) -> Option<Vec<&'static str>> {
        let words = ["program"].iter().chain(arguments);
        let read = Program::try_parse_from(words).ok()?;
        Some(read.serve.services().iter().map(|service| service.name).collect())
    }

    #[test]
    fn services_are_chosen_by_name_each_once() {
        assert_eq!(services(&[]).unwrap(), services::ALL.map(|service| service.name));
        assert_eq!(services(&["--only", "rest", "auth", "rest"]).unwrap(), ["auth", "rest"]);
        assert_eq!(services(&["--only", "unknown"]), None);
    }
}
