//! `s3-server FOLDER`: serves the buckets in a folder and prints the address. The server stops when
//! its standard input is closed, so that a killed test leaves no server running.

use std::env;
use std::error::Error;
use std::io::{Read as _, Write as _, stdin, stdout};
use std::path::Path;

use compat_testkit_s3::S3Server;
use tokio::task::spawn_blocking;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("usage: s3-server FOLDER")?;
    let server = S3Server::start(Path::new(&folder)).await?;
    writeln!(stdout(), "{}", server.endpoint())?;
    spawn_blocking(|| stdin().read_to_end(&mut Vec::new())).await??;
    Ok(())
}
