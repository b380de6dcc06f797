//! A release carries `frontend/dist` inside itself, so that a new build of the pages means a new
//! program. Any other build reads the folder while it runs and is not made anew for it.

use std::{env, fs, io};

const PAGES: &str = "../../frontend/dist";

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
