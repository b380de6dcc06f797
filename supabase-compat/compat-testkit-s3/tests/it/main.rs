//! The program as tests in other languages run it. Cargo builds a program for tests only where a
//! test of its crate names it, so this is also why `cargo test --workspace --no-run` builds it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn server_answers_until_its_input_ends() -> Outcome {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("s3-server");
    fs::create_dir_all(folder.join("objects"))?;
    let mut server = Command::new(env!("CARGO_BIN_EXE_s3-server"))
        .arg(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let address = line.trim().strip_prefix("http://").ok_or("no address")?;

    let mut socket = TcpStream::connect(address)?;
    socket.write_all(b"GET /objects/missing HTTP/1.1\r\nHost: s3\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer)?;
    assert!(answer.starts_with("HTTP/1.1 403"), "an unsigned request is refused: {answer}");

    drop(server.stdin.take());
    assert!(server.wait()?.success());
    Ok(())
}
