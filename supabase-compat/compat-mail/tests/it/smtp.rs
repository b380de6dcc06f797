//! Email through a test relay that speaks just enough SMTP to receive one email.

use std::time::Duration;

use chrono::DateTime;
use compat_mail::{Email, Mailer, SmtpConfig, SmtpSecurity, SmtpTransport};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

/// Serves one connection and returns the lines that the client sent; with `refuse` the recipient is
/// refused.
async fn relay(listener: TcpListener, refuse: bool) -> Vec<String> {
    let (socket, _) = listener.accept().await.unwrap();
    let (reader, mut writer) = socket.into_split();
    let mut lines = BufReader::new(reader).lines();
    let mut transcript = Vec::new();
    let mut in_data = false;
    writer.write_all(b"220 relay.test ESMTP\r\n").await.unwrap();
    while let Ok(Some(line)) = lines.next_line().await {
        transcript.push(line.clone());
        let answer: &[u8] = match line.as_str() {
            "." if in_data => {
                in_data = false;
                b"250 queued\r\n"
            }
            _ if in_data => continue,
            line if line.starts_with("EHLO") => b"250-relay.test\r\n250 AUTH PLAIN\r\n",
            line if line.starts_with("AUTH") => b"235 welcome\r\n",
            line if line.starts_with("RCPT") && refuse => b"550 nobody here\r\n",
            "DATA" => {
                in_data = true;
                b"354 go on\r\n"
            }
            "QUIT" => {
                let _ = writer.write_all(b"221 bye\r\n").await;
                break;
            }
            _ => b"250 ok\r\n",
        };
        if writer.write_all(answer).await.is_err() || (line == "." && !in_data) {
            break;
        }
    }
    transcript
}

fn config(port: u16, security: SmtpSecurity) -> SmtpConfig {
    SmtpConfig {
        host: "127.0.0.1".to_owned(),
        port,
        user: Some("me".to_owned()),
        password: Some("secret".into()),
        admin_email: "site@example.test".to_owned(),
        sender_name: "Le Site".to_owned(),
        security,
        accept_invalid_certs: false,
        headers: vec![("X-Kind".to_owned(), "$messageType".to_owned())],
    }
}

fn email() -> Email {
    Email {
        to: "ada@example.test".to_owned(),
        subject: "Réinitialisez".to_owned(),
        html: "<p>Bonjour</p>".to_owned(),
        text: "Bonjour".to_owned(),
        kind: "recovery".into(),
        at: DateTime::UNIX_EPOCH + Duration::from_secs(1),
        headers: vec![("List-Unsubscribe".to_owned(), "<https://site.example/end>".to_owned())],
    }
}

#[tokio::test]
async fn an_email_is_delivered_in_both_forms() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let relay = tokio::spawn(relay(listener, false));
    let mailer =
        Mailer::new(SmtpTransport::new(&config(port, SmtpSecurity::Opportunistic)).unwrap());
    mailer.send(email()).await.unwrap();
    drop(mailer);
    let transcript = relay.await.unwrap().join("\n");
    for part in [
        "AUTH PLAIN ",
        "MAIL FROM:<site@example.test>",
        "RCPT TO:<ada@example.test>",
        "From: \"Le Site\" <site@example.test>",
        "To: ada@example.test",
        "multipart/alternative",
        "<p>Bonjour</p>",
        "X-Kind: recovery",
        "List-Unsubscribe: <https://site.example/end>",
    ] {
        assert!(transcript.contains(part), "{part} is not in\n{transcript}");
    }
}

#[tokio::test]
async fn smtp_refusal_includes_the_relay_message() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let relay = tokio::spawn(relay(listener, true));
    let mailer = Mailer::new(SmtpTransport::new(&config(port, SmtpSecurity::None)).unwrap());
    let error = mailer.send(email()).await.unwrap_err();
    assert!(error.to_string().contains("nobody here"), "{error}");
    drop(mailer);
    relay.await.unwrap();
}

#[tokio::test]
async fn required_encryption_is_never_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let relay = tokio::spawn(relay(listener, false));
    let mailer = Mailer::new(SmtpTransport::new(&config(port, SmtpSecurity::Required)).unwrap());
    assert!(mailer.send(email()).await.is_err());
    drop(mailer);
    let transcript = relay.await.unwrap().join("\n");
    assert!(!transcript.contains("AUTH") && !transcript.contains("MAIL FROM"), "{transcript}");
}

#[tokio::test]
async fn invalid_sender_address_is_refused() {
    let config = SmtpConfig { admin_email: "nobody".to_owned(), ..SmtpConfig::default() };
    assert!(SmtpTransport::new(&config).is_err());
}
