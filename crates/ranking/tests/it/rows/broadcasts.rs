//! Who may receive and who may send broadcasts of the site over realtime/v1.

use uuid::Uuid;

use super::stage::{Persona, Stage};

/// Whether a persona may read a topic, by the query that realtime/v1 runs.
async fn reads(stage: &Stage, persona: Persona, topic: &str) -> bool {
    let mut owner = stage.acting(persona).await;
    sqlx::query("select set_config('role', 'none', true)")
        .execute(&mut *owner)
        .await
        .expect("a role");
    sqlx::query("insert into realtime.messages (topic, extension) values ($1, 'broadcast')")
        .bind(topic)
        .execute(&mut *owner)
        .await
        .expect("a probe");
    sqlx::query("select set_config('role', $1, true)")
        .bind(persona.role())
        .execute(&mut *owner)
        .await
        .expect("a role");
    sqlx::query_scalar("select exists (select from realtime.messages where topic = $1)")
        .bind(topic)
        .fetch_one(&mut *owner)
        .await
        .expect("an answer")
}

#[tokio::test]
async fn only_staff_may_read_the_staff_topic() {
    let stage = Stage::new().await;
    let server = format!("server:{}", Uuid::nil());
    for persona in Persona::ALL {
        let is_staff = matches!(persona, Persona::Ada | Persona::Fanny | Persona::Service);
        assert_eq!(reads(&stage, persona, "staff:queue").await, is_staff, "{persona:?}");
        assert!(reads(&stage, persona, "ranking").await, "{persona:?}");
        assert!(reads(&stage, persona, &server).await, "{persona:?}");
        let is_service = persona == Persona::Service;
        assert_eq!(reads(&stage, persona, "another").await, is_service, "{persona:?}");
    }
}

#[tokio::test]
async fn only_the_service_may_send_broadcasts() {
    let stage = Stage::new().await;
    for persona in Persona::ALL.into_iter().filter(|persona| *persona != Persona::Service) {
        for topic in ["ranking", "server:x", "staff:queue"] {
            let mut owner = stage.acting(persona).await;
            let result = sqlx::query(
                "insert into realtime.messages (topic, extension) values ($1, 'broadcast')",
            );
            let refusal = result.bind(topic).execute(&mut *owner).await.expect_err("refused");
            let code = refusal.as_database_error().and_then(|error| error.code());
            assert_eq!(code.as_deref(), Some("42501"), "{persona:?} {topic}");
        }
    }
}
