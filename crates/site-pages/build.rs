//! A release build embeds `frontend/dist`, so that a new build of the pages requires a new binary.
//! Any other build reads the folder at run time and need not be recompiled for it.

use std::{env, fs, io};

const PAGES: &str = "../../frontend/dist";

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
