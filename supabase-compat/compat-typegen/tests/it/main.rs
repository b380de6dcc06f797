//! Tests of the generators with a real PostgreSQL.

use std::time::Duration;

use axum::body::Body;
use compat_testkit::{TestDatabase, call, every_statement_prepares};
use compat_typegen::{
    AccessControl, SchemaFilter, TypescriptOptions, go, introspect_database, python, router, swift,
    typescript,
};
use http::Request;

const SCHEMA: &str = "
    create type public.mood as enum ('happy', 'say \"hi\"');
    create table public.people (
      id bigint primary key generated always as identity,
      name text not null,
      mood public.mood default 'happy',
      notes jsonb not null
    );
    create table public.pets (
      \"owner id\" bigint unique references public.people,
      tags text[] not null default '{}'
    );
    create view public.owners as select \"owner id\" as person from public.pets;
";

async fn database() -> TestDatabase {
    TestDatabase::filled(&[], &[SCHEMA]).await
}

#[tokio::test]
async fn every_statement_prepares_and_fits_its_rows() {
    every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &database().await).await;
}

#[tokio::test]
async fn all_languages_are_written_from_one_catalogue() {
    let db = database().await;
    let filter = SchemaFilter::new(vec!["public".to_owned()], Vec::new());
    let metadata = introspect_database(&db.pools().owner, &filter, Duration::from_secs(15))
        .await
        .expect("the catalogue is read");
    let options = TypescriptOptions {
        detects_one_to_one: true,
        postgrest_version: Some("13.0.4".to_owned()),
    };
    let text = typescript(&metadata, &options);
    for part in [
        "  __InternalSupabase: {\n    PostgrestVersion: \"13.0.4\"\n  }\n  public: {\n",
        "        Row: {\n          id: number\n          mood: Database[\"public\"][\"Enums\"][\"mood\"] | null\n",
        "          notes: NonNullable<Json>\n",
        "          id?: never\n",
        "          \"owner id\": number | null\n          tags: string[]\n",
        "            columns: [\"owner id\"]\n            isOneToOne: true\n",
        "            columns: [\"person\"]\n            isOneToOne: true\n",
        "      mood: \"happy\" | 'say \"hi\"'\n",
        "      mood: [\"happy\", 'say \"hi\"'],\n",
    ] {
        assert!(text.contains(part), "{part}\nis missing in\n{text}");
    }
    assert!(go(&metadata).contains("  OwnerId *int64    `json:\"owner id\"`\n"));
    let text = swift(&metadata, AccessControl::Public);
    assert!(text.contains("    public let mood: Mood?\n"), "{text}");
    assert!(python(&metadata).contains("    tags: List[str] = Field(alias=\"tags\")\n"));
}

#[tokio::test]
async fn routes_answer_as_postgres_meta_does() {
    let db = database().await;
    let router = router(db.pools().owner.clone(), Duration::from_secs(15));
    let ask = async |path: &str| {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let answer = call(&router, request).await;
        (answer.status.as_u16(), answer.header("content-type").to_owned(), answer.text())
    };
    let (status, kind, text) = ask("/typescript?included_schemas=public,%20none").await;
    assert_eq!((status, kind.as_str()), (200, "text/plain; charset=utf-8"));
    assert!(text.contains("columns: [\"owner id\"]\n            referencedRelation"), "{text}");
    let (_, _, text) = ask("/typescript?detect_one_to_one_relationships=true").await;
    assert!(text.contains("columns: [\"owner id\"]\n            isOneToOne: true\n"), "{text}");
    let (_, _, text) = ask("/go?excluded_schemas=public").await;
    assert!(!text.contains("Pets"), "{text}");
    let (_, _, text) = ask("/swift?included_schemas=public&access_control=public").await;
    assert!(text.contains("public enum PublicSchema {"), "{text}");
    let (_, _, text) = ask("/python?included_schemas=").await;
    assert!(!text.contains("(BaseModel):"), "{text}");
    let (status, _, text) = ask("/swift?access_control=open").await;
    assert_eq!(status, 400);
    assert_eq!(
        text,
        r#"{"error":"access_control: \"open\" is none of internal, public, private and package"}"#
    );
}
