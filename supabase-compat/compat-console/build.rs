//! A release build embeds `../console/dist`. Other builds read the folder at run time and are not
//! rebuilt when it changes. Without the folder, the program answers that the pages are not built.

use std::{env, fs, io};

const PAGES: &str = "../console/dist";

#[expect(clippy::disallowed_methods, reason = "Cargo names the profile in the environment")]
fn main() -> io::Result<()> {
    // The folder must exist, even while the pages are still being built.
    fs::create_dir_all(PAGES)?;
    if env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed={PAGES}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}
