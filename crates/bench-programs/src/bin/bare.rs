//! What the framework costs by itself: every request is answered with what the program was given.
//! Benchmarks compare with it.

#![expect(clippy::print_stdout, reason = "whoever starts it reads there where it listens")]

use axum::Router;
use http::header::CONTENT_TYPE;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let body = std::env::args().nth(1).unwrap_or_default();
    let answer = move || {
        let body = body.clone();
        async move { ([(CONTENT_TYPE, "application/json")], body) }
    };
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("ready http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback(answer)).await
}
