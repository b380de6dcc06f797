//! The order in which the stack stops.

use std::net::SocketAddr;

use compat_stack::{Application, listen};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::world::{World, application};

#[tokio::test]
async fn background_tasks_keep_database_until_they_end() {
    let world = World::new().await;
    let stack = world.start(&["--only", "auth", "functions"], &[]).await;
    let (print_line, mut lines) = mpsc::unbounded_channel();
    let (stop, pools) = (stack.stop_token(), stack.pools.clone());
    stack.spawn("last words", move || {
        let (print_line, stop, pools) = (print_line.clone(), stop.clone(), pools.clone());
        async move {
            stop.cancelled().await;
            let answered = pools.owner.begin().await.is_ok();
            print_line.send(answered).unwrap();
        }
    });
    let pools = stack.pools.clone();
    stack.stop().await;
    assert_eq!(lines.try_recv(), Ok(true), "ended before the stop did, and with a database");
    assert!(pools.owner.begin().await.is_err(), "connections close last");
}

#[tokio::test]
async fn stop_answers_requests_and_frees_the_port() {
    let world = World::new().await;
    let stack = world.start(&["--only", "auth", "functions"], &[]).await;
    let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (router, stop) = (stack.router(application()).unwrap(), stack.stop_request());
    let running = tokio::spawn(stack.run(listener, router));
    let mut connection = TcpStream::connect(address).await.unwrap();
    assert!(!ask(&mut connection).await.contains("connection: close"));
    stop.cancel();
    assert!(ask(&mut connection).await.contains("connection: close"));
    running.await.unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn operators_port_listens_locally_by_default() {
    let world = World::new().await;
    let held = listen(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let port = held.local_addr().unwrap().port().to_string();
    let arguments = ["--only", "functions", "--host", "0.0.0.0", "--admin-port", &port];
    let stack = world.start(&arguments, &[]).await;
    let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let router = stack.router(Application::default()).unwrap();
    let refusal = stack.run(listener, router).await.expect_err("the port is taken");
    let text = refusal.to_string();
    assert!(text.starts_with(&format!("cannot listen on 127.0.0.1:{port}")), "{text}");
}

/// Sends `GET /functions/v1/hello` on a kept-alive connection and reads the response.
async fn ask(stream: &mut TcpStream) -> String {
    let request = b"GET /functions/v1/hello HTTP/1.1\r\nHost: t\r\n\r\n";
    stream.write_all(request).await.expect("the server listens");
    let (mut text, mut buffer) = (String::new(), [0; 1024]);
    while !text.ends_with("hello") {
        let read = stream.read(&mut buffer).await.expect("an answer");
        assert_ne!(read, 0, "closed after {text:?}");
        text.push_str(std::str::from_utf8(&buffer[..read]).expect("text"));
    }
    text
}
