//! The cost of the framework alone: every request is answered with one fixed text, the program's
//! argument. Benchmarks compare the real server with this program.

#![expect(clippy::print_stdout, reason = "the caller reads the address from standard output")]

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
