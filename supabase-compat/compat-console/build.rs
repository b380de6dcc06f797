//! A release carries `../console/dist` inside itself; any other build reads the folder while it runs and is
//! not made anew for it. Without the folder the program has no pages and says so.

use std::{env, fs, io};

const PAGES: &str = "../console/dist";

#[expect(clippy::disallowed_methods, reason = "Cargo names the profile in the environment")]
fn main() -> io::Result<()> {
    // The folder must be there, also while the pages are still being built beside this.
    fs::create_dir_all(PAGES)?;
    if env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed={PAGES}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}
