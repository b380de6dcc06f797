//! The pages are embedded from `frontend/dist`; a new build of them means a new binary.

fn main() {
    println!("cargo:rerun-if-changed=../../frontend/dist");
    println!("cargo:rerun-if-changed=build.rs");
}
