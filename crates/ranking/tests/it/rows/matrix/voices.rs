//! What people write: reviews, reports, proposals, votes.

use super::Verb::{Delete, Insert, Select, Update};
use super::{Line, N, Outcome, X, Y};

/// A review has one answer and a report one notice; a second one violates a unique constraint.
const TWICE: Outcome = Outcome::Refused("23505");

pub const LINES: &[Line] = &[
    // Only the author and moderators see the row with its author; everybody else reads the view.
    ("reviews", Select, "select from public.reviews where id = it.id('review')", [X, Y, N, N, Y, Y, Y]),
    ("reviews", Select, "select from public.reviews where id = it.id('hidden review')", [X, Y, N, N, Y, Y, Y]),
    // An author sees the name of the reviewed server, even while the listing is hidden; an invented
    // row shows none.
    (
        "reviews",
        Select,
        "select from public.reviews r where r.id = it.id('review of waiting') and r.server_name = 'Waiting'",
        [X, Y, N, N, Y, Y, Y],
    ),
    (
        "reviews",
        Select,
        "select from public.server_name(
           jsonb_populate_record(null::public.reviews, jsonb_build_object('server_id', it.id('off')))
         ) as name where name is not null",
        [X, N, N, N, N, N, N],
    ),
    (
        "reviews",
        Insert,
        "insert into public.reviews (server_id, rating, comment) values (it.id('borises'), 4, 'fine')
         on conflict do nothing",
        [X, N, Y, X, Y, Y, Y],
    ),
    // Nobody reviews their own listing, a hidden one, or in another person's name.
    (
        "reviews",
        Insert,
        "insert into public.reviews (server_id, rating, comment) values (it.id('open'), 5, 'mine') on conflict do nothing",
        [X, N, X, X, Y, Y, Y],
    ),
    (
        "reviews",
        Insert,
        "insert into public.reviews (server_id, rating, comment) values (it.id('off'), 5, 'hm')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "reviews",
        Insert,
        "insert into public.reviews (server_id, user_id, rating, comment) values (it.id('open'), it.id('second'), 5, 'hm')",
        [X, X, X, X, X, X, Y],
    ),
    ("reviews", Update, "update public.reviews set rating = 1 where id = it.id('review')", [X, Y, N, N, N, N, Y]),
    ("reviews", Update, "update public.reviews set is_hidden = false where id = it.id('hidden review')", [X, X, X, X, X, X, Y]),
    ("reviews", Update, "update public.reviews set server_id = it.id('off') where id = it.id('review')", [X, X, X, X, X, X, Y]),
    ("reviews", Delete, "delete from public.reviews where id = it.id('review')", [X, Y, N, N, Y, Y, Y]),
    ("reviews_public", Select, "select from public.reviews_public where id = it.id('review')", [Y, Y, Y, Y, Y, Y, Y]),
    ("reviews_public", Select, "select from public.reviews_public where id = it.id('hidden review')", [N, N, N, N, N, N, N]),
    ("reviews_public", Select, "select from public.reviews_public where id = it.id('review of waiting')", [N, N, N, N, N, N, N]),
    (
        "reviews_public",
        Select,
        "select from public.reviews_public where id = it.id('whisper') and author_name is null",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    (
        "reviews_public",
        Select,
        "select from public.reviews_public where id = it.id('whisper') and is_mine",
        [N, Y, N, N, N, N, N],
    ),
    ("reviews_public", Insert, "insert into public.reviews_public (comment) values ('x')", [X; 7]),
    ("reviews_public", Update, "update public.reviews_public set comment = 'x'", [X; 7]),
    ("reviews_public", Delete, "delete from public.reviews_public", [X; 7]),
    (
        "reviews_public",
        Select,
        "select from public.reviews_public where id = it.id('review') and answer = 'thanks'",
        [Y, Y, Y, Y, Y, Y, Y],
    ),
    // The review's author, the answer's author and moderators see the row; everybody else reads the
    // view.
    (
        "review_answers",
        Select,
        "select from public.review_answers where review_id = it.id('review')",
        [X, Y, Y, N, Y, Y, Y],
    ),
    (
        "review_answers",
        Insert,
        "insert into public.review_answers (review_id, comment) values (it.id('review of waiting'), 'soon')",
        [X, X, Y, X, X, X, Y],
    ),
    // One answer for each review, none to a hidden review, and none on behalf of another listing.
    (
        "review_answers",
        Insert,
        "insert into public.review_answers (review_id, comment) values (it.id('review'), 'again')",
        [X, X, TWICE, X, X, X, TWICE],
    ),
    (
        "review_answers",
        Insert,
        "insert into public.review_answers (review_id, comment) values (it.id('hidden review'), 'well')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "review_answers",
        Insert,
        "insert into public.review_answers (review_id, server_id, comment)
         values (it.id('whisper'), it.id('open'), 'mine')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "review_answers",
        Update,
        "update public.review_answers set comment = 'changed' where review_id = it.id('review')",
        [X, N, Y, N, N, N, Y],
    ),
    (
        "review_answers",
        Update,
        "update public.review_answers set review_id = it.id('whisper') where review_id = it.id('review')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "review_answers",
        Delete,
        "delete from public.review_answers where review_id = it.id('review')",
        [X, N, Y, N, Y, Y, Y],
    ),
    ("reports", Select, "select from public.reports where id = it.id('report')", [X, Y, N, N, Y, Y, Y]),
    (
        "reports",
        Insert,
        "insert into public.reports (server_id, reason) values (it.id('free'), 'copyright')",
        [X, Y, Y, X, Y, Y, Y],
    ),
    (
        "reports",
        Insert,
        "insert into public.reports (server_id, reason, status) values (it.id('free'), 'copyright', 'resolved')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "reports",
        Insert,
        "insert into public.reports (server_id, reason, reporter_id) values (it.id('free'), 'spam', it.id('second'))",
        [X, X, X, X, X, X, Y],
    ),
    ("reports", Update, "update public.reports set status = 'resolved' where id = it.id('report')", [X, X, X, X, X, X, Y]),
    ("reports", Delete, "delete from public.reports where id = it.id('report')", [X, X, X, X, X, X, Y]),
    // Only administrators see who reported without an account.
    (
        "report_notices",
        Select,
        "select from public.report_notices where report_id = it.id('report')",
        [X, N, N, N, Y, Y, Y],
    ),
    (
        "report_notices",
        Insert,
        "insert into public.report_notices values (it.id('report'), 'A', 'a@b.c', 'fr', 'x', now())",
        [X, X, X, X, X, X, TWICE],
    ),
    (
        "report_notices",
        Update,
        "update public.report_notices set name = 'B' where report_id = it.id('report')",
        [X, X, X, X, X, X, Y],
    ),
    (
        "report_notices",
        Delete,
        "delete from public.report_notices where report_id = it.id('report')",
        [X, X, X, X, X, X, Y],
    ),
    ("tag_proposals", Select, "select from public.tag_proposals where id = it.id('proposal')", [X, Y, N, N, Y, Y, Y]),
    (
        "tag_proposals",
        Insert,
        "insert into public.tag_proposals (name, color, proposed_by)
         select 'mine', '#EF4444', coalesce(auth.uid(), it.id('second'))",
        [X, Y, Y, X, Y, Y, Y],
    ),
    (
        "tag_proposals",
        Insert,
        "insert into public.tag_proposals (name, color, proposed_by) values ('theirs', '#EF4444', it.id('second'))",
        [X, X, X, X, X, X, Y],
    ),
    (
        "tag_proposals",
        Update,
        "update public.tag_proposals set status = 'approved' where id = it.id('proposal')",
        [X, X, X, X, X, X, Y],
    ),
    ("tag_proposals", Delete, "delete from public.tag_proposals where id = it.id('proposal')", [X, X, X, X, X, X, Y]),
    // Only the service reads the hash of an address.
    ("votes", Select, "select id, nickname from public.votes where id = it.id('vote')", [X, Y, N, N, Y, Y, Y]),
    ("votes", Select, "select id from public.votes where id = it.id('guest vote')", [X, N, N, N, Y, Y, Y]),
    ("votes", Select, "select ip_hash from public.votes where id = it.id('vote')", [X, X, X, X, X, X, Y]),
    (
        "votes",
        Insert,
        "insert into public.votes (server_id, nickname) values (it.id('open'), 'forger')",
        [X, X, X, X, X, X, Y],
    ),
    ("votes", Update, "update public.votes set nickname = 'forger' where id = it.id('vote')", [X, X, X, X, X, X, Y]),
    ("votes", Delete, "delete from public.votes where id = it.id('vote')", [X, X, X, X, X, X, Y]),
];
