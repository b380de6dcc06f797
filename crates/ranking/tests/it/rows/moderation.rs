//! A moderator's decision cannot be evaded by deleting a row and creating it again.

use super::stage::{Persona, Refusal, Stage};

const LAST_REVIEW: &str = "select is_hidden from public.reviews
    where server_id = it.id('free') and user_id = it.id('olga')";

#[tokio::test]
async fn rewritten_hidden_review_stays_hidden() {
    let stage = Stage::new().await;
    let write =
        "insert into public.reviews (server_id, rating, comment) values (it.id('free'), 1, 'rude')";
    let delete =
        "delete from public.reviews where server_id = it.id('free') and user_id = it.id('olga')";
    let judge = "select public.set_review_hidden(id, true) from public.reviews
        where server_id = it.id('free') and user_id = it.id('olga')";
    let restore = "select public.set_review_hidden(id, false) from public.reviews
        where server_id = it.id('free') and user_id = it.id('olga')";
    for (persona, sql, is_hidden) in [
        (Persona::Olga, write, Some(false)),
        (Persona::Ada, judge, Some(true)),
        (Persona::Olga, delete, None),
        (Persona::Olga, write, Some(true)),
        (Persona::Ada, restore, Some(false)),
        (Persona::Olga, delete, None),
        (Persona::Olga, write, Some(false)),
    ] {
        assert_eq!(stage.act(persona, sql).await, Ok(1), "{persona:?}: {sql}");
        if let Some(expected) = is_hidden {
            assert_eq!(stage.value::<bool>(LAST_REVIEW).await, expected, "{sql}");
        }
    }
}

#[tokio::test]
async fn new_account_cannot_republish_a_hidden_review() {
    let stage = Stage::new().await;
    stage
        .run(
            "update public.reviews set is_hidden = true where id = it.id('review');
             delete from auth.users where id = it.id('stan');
             insert into auth.users (id, email) values (it.id('stan again'), 'Stan@Example.test');
             insert into public.reviews (id, server_id, user_id, rating, comment)
             values (it.id('again'), it.id('open'), it.id('stan again'), 1, 'rude'),
               (it.id('elsewhere'), it.id('free'), it.id('stan again'), 1, 'meh');",
        )
        .await;
    let hidden = "select array_agg(is_hidden order by id = it.id('again') desc) from public.reviews
        where id in (it.id('again'), it.id('elsewhere'))";
    assert_eq!(stage.value::<Vec<bool>>(hidden).await, [true, false]);
}

/// Whether the listing named `Rebuilt` is approved, whether it is hidden, and why.
const LISTING: &str = "select concat_ws(' ', is_approved, is_hidden, hidden_reason)
    from public.servers where name = 'Rebuilt'";

#[tokio::test]
async fn disabled_listing_cannot_return_by_name_or_address() {
    let stage = Stage::new().await;
    let put = "update public.servers set ip_address = 'mc.open.example' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, put).await, Ok(1));
    for sql in [
        "select public.set_server_disabled(it.id('open'), true)",
        // After this, neither the old name nor the new one is free.
        "update public.servers set name = 'Renamed' where id = it.id('open')",
        "delete from public.servers where id = it.id('open')",
    ] {
        assert_eq!(stage.act(Persona::Ada, sql).await, Ok(1), "{sql}");
    }
    for (persona, columns) in [
        (
            Persona::Stan,
            "insert into public.servers (name, game_id) values ('O.p.e.n', it.id('game'))",
        ),
        (
            Persona::Stan,
            "insert into public.servers (name, game_id) values ('Renаmed', it.id('game'))",
        ),
        (
            Persona::Stan,
            "insert into public.servers (name, game_id, ip_address)
             values ('Elsewhere', it.id('game'), 'MC.Open.Example')",
        ),
    ] {
        assert_eq!(stage.act(persona, columns).await, Ok(1), "{columns}");
        let disabled = "select count(*) from public.servers
            where owner_id = it.id('stan') and is_hidden and hidden_reason = 'moderation'";
        assert_eq!(stage.value::<i64>(disabled).await, 1, "{columns}");
        stage.run("delete from public.servers where owner_id = it.id('stan')").await;
        // The copies leave marks of their own for Stan's account, which would affect the next case.
        stage.run("delete from public.moderation_marks where account_id = it.id('stan')").await;
    }
    // Renaming another listing does not bring the name back, either.
    let other = "insert into public.servers (name, game_id) values ('Rebuilt', it.id('game'))";
    assert_eq!(stage.act(Persona::Stan, other).await, Ok(1));
    assert_eq!(stage.value::<String>(LISTING).await, "t f");
    let rename = "update public.servers set name = 'Open' where name = 'Rebuilt'";
    assert_eq!(stage.act(Persona::Stan, rename).await, Ok(1));
    let renamed =
        "select is_hidden and hidden_reason = 'moderation' from public.servers where name = 'Open'";
    assert!(stage.value::<bool>(renamed).await);
}

#[tokio::test]
async fn new_listings_of_moderated_owner_await_approval() {
    let stage = Stage::new().await;
    // A moderator disabled one of Olga's listings.
    let list = "insert into public.servers (name, game_id) values ('Rebuilt', it.id('game'))";
    assert_eq!(stage.act(Persona::Olga, list).await, Ok(1));
    assert_eq!(stage.value::<String>(LISTING).await, "f f");
    stage.run("delete from public.servers where name = 'Rebuilt'").await;
    let restore = "select public.set_server_disabled(it.id('off'), false)";
    assert_eq!(stage.act(Persona::Ada, restore).await, Ok(1));
    assert_eq!(stage.act(Persona::Olga, list).await, Ok(1));
    assert_eq!(stage.value::<String>(LISTING).await, "t f");
    // A withdrawn approval is a decision like any other.
    let refuse =
        "select public.set_server_approval(id, false) from public.servers where name = 'Rebuilt'";
    assert_eq!(stage.act(Persona::Ada, refuse).await, Ok(1));
    let delete = "delete from public.servers where name = 'Rebuilt'";
    assert_eq!(stage.act(Persona::Olga, delete).await, Ok(1));
    assert_eq!(stage.act(Persona::Stan, list).await, Ok(1));
    assert_eq!(stage.value::<String>(LISTING).await, "f f");
    let approve =
        "select public.set_server_approval(id, true) from public.servers where name = 'Rebuilt'";
    assert_eq!(stage.act(Persona::Ada, approve).await, Ok(1));
    assert_eq!(stage.value::<i64>(MARKS).await, 1, "only the banned account's is left");
}

const MARKS: &str = "select count(*) from public.moderation_marks";

#[tokio::test]
async fn ban_outlives_account_deletion_until_lifted() {
    let stage = Stage::new().await;
    let leave = "select public.delete_own_account()";
    let refusal = Refusal::new("42501", "A banned account is not deleted by its owner");
    assert_eq!(stage.act(Persona::Boris, leave).await, Err(refusal));
    let delete = "select public.delete_user(it.id('boris'))";
    assert_eq!(stage.act(Persona::Ada, delete).await, Ok(1));
    stage
        .run("insert into auth.users (id, email) values (it.id('again'), ' Boris@example.test')")
        .await;
    let barred = "select p.is_banned and u.banned_until > now() + interval '1 year'
        from public.profiles as p inner join auth.users as u using (id) where id = it.id('again')";
    assert!(stage.value::<bool>(barred).await);
    // An existing account that changes to the banned email address is banned, too.
    stage.run("delete from auth.users where id = it.id('again')").await;
    stage.run("update auth.users set email = 'boris@example.test' where id = it.id('stan')").await;
    let taken_over = "select is_banned from public.profiles where id = it.id('stan')";
    assert!(stage.value::<bool>(taken_over).await);
    assert_eq!(stage.act(Persona::Ada, "select public.unban_user(it.id('stan'))").await, Ok(1));
    stage.run("delete from auth.users where id = it.id('stan')").await;
    stage
        .run("insert into auth.users (id, email) values (it.id('new'), 'boris@example.test')")
        .await;
    let free = "select not is_banned from public.profiles where id = it.id('new')";
    assert!(stage.value::<bool>(free).await);
}

#[tokio::test]
async fn orphaned_moderation_mark_is_lifted_by_administrators() {
    let stage = Stage::new().await;
    let lift = "select public.lift_moderation_mark(id) from public.moderation_marks where decision = 'account_banned'";
    let stands = Err(Refusal::new("22023", "The decision stands; take it back first"));
    assert_eq!(stage.act(Persona::Ada, lift).await, stands);
    stage.run("delete from auth.users where id = it.id('boris')").await;
    let unknown = "select public.lift_moderation_mark(it.id('nothing'))";
    for persona in [Persona::Anon, Persona::Olga] {
        let refusal = stage.act(persona, unknown).await.expect_err("not theirs");
        assert_eq!(refusal.code, "42501", "{persona:?}");
    }
    let missing = Err(Refusal::new("PT404", "Mark not found"));
    assert_eq!(stage.act(Persona::Ada, unknown).await, missing);
    assert_eq!(stage.act(Persona::Ada, lift).await, Ok(1));
    let left = "select count(*) from public.moderation_marks where decision = 'account_banned'";
    assert_eq!(stage.value::<i64>(left).await, 0);
}

#[tokio::test]
async fn decisions_older_than_the_marks_hold_as_well() {
    let stage = Stage::new().await;
    stage.run("delete from public.moderation_marks").await;
    let standing = [
        include_str!("../../../../../sql/repeatable/profiles_marks.sql"),
        include_str!("../../../../../sql/repeatable/reviews_marks.sql"),
        include_str!("../../../../../sql/repeatable/servers_marks.sql"),
    ];
    for _ in 0..2 {
        for file in standing {
            stage.run(file).await;
        }
        let marks = "select string_agg(decision || ' ' || label, ', ' order by decision) from public.moderation_marks";
        assert_eq!(
            stage.value::<String>(marks).await,
            "account_banned boris, review_hidden rude, server_disabled Off"
        );
    }
}
