//! Tests of the schemas: statements that prepare, and privileges.

use compat_testkit::every_statement_prepares;

use crate::world::{database, refusal, run, text_of};

#[tokio::test]
async fn every_statement_is_understood_by_a_server() {
    let unknown = every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &database().await).await;
    assert_eq!(unknown, ["cron.rs: 1"], "whose rows are read into a type that is not said");
}

#[tokio::test]
async fn callers_cannot_read_request_queue_or_cron_jobs() {
    let db = database().await;
    for role in ["anon", "authenticated"] {
        let as_role = |text: &str| format!("set local role {role}; {text}");
        run(&db, &as_role("select net.http_get('https://example.com/')")).await.unwrap();
        for closed in [
            "select * from net.http_request_queue",
            "select * from net._http_response",
            "select net._ask('GET', 'https://a.test', null, null, null, 1)",
            "select * from cron.job",
            "select cron.schedule('* * * * *', 'select 1')",
        ] {
            let refusal_text = refusal(&db, &as_role(closed)).await;
            assert!(refusal_text.contains("permission denied"), "{role}: {closed}: {refusal_text}");
        }
    }
    assert_eq!(text_of(&db, "select count(*) from net.http_request_queue").await, "2");
}
