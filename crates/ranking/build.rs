//! The site's SQL is embedded as a folder; a file added to it must rebuild the crate.

fn main() {
    println!("cargo:rerun-if-changed=../../sql");
}
