//! Mutants that are equivalent to the original, with the reason. The report lists entries that a test kills
//! after all, or that no longer exist, so that the list stays short.

/// Names of mutants (`*` matches anything), and why no test can distinguish them from the original.
const EQUIVALENT: &[(&[&str], &str)] = &[
    (
        &["function serasi.forget_factor(): without user_id = old.user_id"],
        "A session's factor belongs to its account. The condition is for the index.",
    ),
    (
        &["function serasi.reset_access(regclass): without atthasdef"],
        "Dropping a default that does not exist changes nothing.",
    ),
    (
        &["constraint collaborations_reason_required on app.collaborations: without (state <> 'cancelled'*"],
        "Only a cancelled collaboration has a value in cancelled_by: collaborations_cancelled_by_someone. Without one the check is null.",
    ),
    (
        &["function app.is_service_list(jsonb): without jsonb_typeof(entry) <> 'object'"],
        "A value that is not an object has no title, and the next line rejects that.",
    ),
    (
        &["function app.update_profile(): without admins_changes = '{}'"],
        "An update of moderation columns then also writes the unchanged name, which has no effect, whether the policies \
         allow it or not.",
    ),
    (
        &["constraint vendors_type_max_50 on app.vendors: dropped"],
        "All types that vendors_type_known allows are shorter.",
    ),
    (
        &["function app.keep_a_superadmin(): without perform pg_advisory_xact_lock(*"],
        "It serializes two transactions, and pgTAP has only one; `db/tests/it/superadmins.rs` runs two at once.",
    ),
    (
        &["function app.limit_*(): without perform pg_advisory_xact_lock(*"],
        "It serializes two transactions, and pgTAP has only one; `db/tests/it/limits.rs` runs two at once.",
    ),
    (
        &["function app.*(*): without perform pg_advisory_xact_lock(hashtextextended('app.enquiries *"],
        "It serializes two transactions, and pgTAP has only one; `functions/tests/it/enquiries.rs` sends six requests at once.",
    ),
    (
        &["function app.request_backup(): without perform pg_advisory_xact_lock(*"],
        "It serializes two transactions, and pgTAP has only one; `db/tests/it/backups.rs` runs two at once.",
    ),
    (
        &["function app.check_application(uuid,uuid): without * for key share"],
        "It locks rows, and pgTAP has only one transaction; `db/tests/it/applications.rs` runs two at once.",
    ),
    (
        &[
            "function app.check_application(uuid,uuid): without perform from app.gigs where id = gig for share",
        ],
        "It waits for a decision, and pgTAP has only one transaction; `db/tests/it/applications.rs` runs two at once. \
         If the gig was removed, FOUND is still false, because the previous line finds no agency.",
    ),
    (
        &["function app.check_application(uuid,uuid): without perform pg_advisory_xact_lock(*"],
        "It serializes two transactions, and pgTAP has only one; `functions/tests/it/replicas.rs` sends 26 requests at once.",
    ),
    (
        &["function app.check_report(): without perform pg_advisory_xact_lock(*"],
        "It serializes two transactions, and pgTAP has only one; `db/tests/it/reports.rs` runs two at once.",
    ),
    (
        &["function app.close_gig(app.reports,text): without * for key share"],
        "It locks rows, and pgTAP has only one transaction; `db/tests/it/reports.rs` runs two at once.",
    ),
    (
        &[
            "function app.lock_reviewed(uuid[],uuid[]): does nothing",
            "function app.hide_review(uuid,text): without perform app.lock_reviewed(*",
            "function app.prepare_review(): without perform app.lock_reviewed(*",
        ],
        "It locks rows, and pgTAP has only one transaction; `db/tests/it/reviews.rs` runs two at once.",
    ),
    (
        &["function app.cancel_side(uuid,text,text): without work.state = 'cancelled'"],
        "Only a cancelled collaboration has a value in cancelled_by: collaborations_cancelled_by_someone.",
    ),
    (
        &["function app.check_decision(app.gig_applications,text): without decision <> 'shortlisted'"],
        "app.decide_application() returns earlier if the application already has the requested state.",
    ),
    (
        &["function app.count_review(app.reviews): without counted*"],
        "A review that doesn't count is then set not to count, which changes no sum.",
    ),
    (
        &["function app.count_review(app.reviews): without side = *"],
        "An author only writes reviews of a profile from one side: app.prepare_review() refuses reviews of oneself.",
    ),
    (
        &[
            "function app.digest_applications(): without agencies.id in (*",
            "function app.digest_applications(): without digested_at is null",
        ],
        "Agencies without new applications are then also checked, and not notified.",
    ),
    (
        &["function app.expire_enquiries(text): without state in ('unconfirmed', 'open')"],
        "app.end_enquiry() only ends enquiries in these states.",
    ),
    (
        &[
            "function app.lock_applications(uuid[]): without id = any (of_*",
            "function app.lock_applications(uuid[]): without id = any (ids)",
            "function app.lock_applications(uuid[]): without id = any (ids) (2)",
            "function app.lock_applications(uuid[]): without id = any (ids) (3)",
            "function app.lock_applications(uuid[]): without id in (*",
            "function app.lock_applications(uuid[]): without perform *",
            "function app.lock_enquiry(uuid): without id in (*",
            "function app.lock_enquiry(uuid): without id = (select*",
            "function app.lock_enquiry(uuid): without perform *",
            "function app.lock_report(uuid): without id = wanted",
            "function app.lock_report(uuid): without report_id = wanted",
            "function app.lock_report(uuid): without id in (*",
            "function app.lock_report(uuid): without perform *",
            "function app.lock_reviewed(*): without *",
        ],
        "It locks rows, and pgTAP has only one transaction; the tests in `db/tests/it` run two at once.",
    ),
    (
        &["function app.prepare_review(): without id = new.author_id for key share"],
        "It locks a row, and pgTAP has only one transaction; `db/tests/it/reviews.rs` runs two at once.",
    ),
    (
        &[
            "function app.prepare_review(): without id = new.collaboration_id",
            "function app.hide_review(uuid,text): without id = review_id",
        ],
        "The first query only determines which rows to lock; the second one, which locks the row, decides.",
    ),
    (
        &[
            "function app.prepare_review(): without perform app.refuse_if(not exists (select from app.profiles where id = new.author_id)*",
        ],
        "It applies if the account is deleted concurrently, and pgTAP has only one transaction; \
         `db/tests/it/reviews.rs` runs two at once.",
    ),
    (
        &["function app.publish_due_reviews(): without perform app.lock_reviewed(*"],
        "It locks rows, and pgTAP has only one transaction.",
    ),
    (
        &[
            "function app.publish_due_reviews(): without id = any (due)",
            "function app.publish_due_reviews(): without id = any (due) (2)",
        ],
        "It determines which rows to lock, and pgTAP has only one transaction.",
    ),
    (
        &["function app.notify(uuid,text,uuid,jsonb): without perform pg_advisory_xact_lock(*"],
        "It serializes two transactions, and pgTAP has only one; `db/tests/it/notifications.rs` runs eight at once.",
    ),
    (
        &[
            "function app.remind_of_enquiries(): without state = 'open'",
            "function app.remind_of_enquiries(): without reminded_at is null",
            "function app.remind_of_enquiries(): without enquiry.state = 'open'",
            "function app.remind_of_enquiries(): without enquiry.reminded_at is null",
        ],
        "The row is checked again once it is locked.",
    ),
    (
        &["function app.reported_guest(app.reports): without sender_user_id is null"],
        "The brief of an account has no guest address.",
    ),
    (
        &["function app.reported_guest(app.reports): without author_id is null"],
        "A collaboration with an account has no guest address.",
    ),
    (
        &[
            "function app.review_as_guest(text,integer,text): without perform app.refuse_if(app.complete_side(*",
        ],
        "app.prepare_review() refuses the review with the same message.",
    ),
    (
        &["function app.sum_ratings(): without change <> 0"],
        "It then adds zero to the sums, which stay the same.",
    ),
    (
        &["function app.suspicious_words(text): without plain like any (*"],
        "It only saves time: every suspicious word contains one of these patterns.",
    ),
    (
        &["function app.guest_work(text): without work is null"],
        "Without a collaboration, app.is_guest() is null, and the next term refuses that.",
    ),
    (
        &[
            "function app.side_left(app.collaborations,app.collaborations): without before.influencer_id is not null",
        ],
        "A collaboration without an influencer has already ended, so nobody is notified.",
    ),
    (
        &["function public.set_notification_delivery(text[],text): without s.delivery <> excluded.delivery"],
        "The setting is then set to the value that it already has.",
    ),
    (
        &["function public.mark_notifications_seen(uuid[]): without user_id = (select auth.uid())*"],
        "It runs as the caller, and row security has the same condition.",
    ),
    (
        &["function app.send_enquiries(*): without perform pg_advisory_xact_lock(hashtextextended('app.en*"],
        "It serializes two transactions, and pgTAP has only one; `functions/tests/it/replicas.rs` sends twelve requests at once.",
    ),
    (&["function app.end_enquiry(*): without found"], "If no row was changed, there is no sender to notify."),
    (
        &["function app.queue_notification(uuid,text,boolean): without sent_at is null (2)"],
        "A mail that is still queued has the same data, so the notification is repeated in any case.",
    ),
    (
        &[
            "function app.tick_notifications(*): without in_digest",
            "function app.tick_notifications(*): without created_at < due",
            "function app.tick_notifications(*): without not exists (*",
        ],
        "app.send_digest() checks again whether a digest is due.",
    ),
    (
        &["function app.columns_granted(regclass,text): without attnum > 0"],
        "No row has a member named like a system column, so none is ever requested.",
    ),
    (
        &["function app.columns_granted(regclass,text): without not attisdropped"],
        "No row has a member named like a dropped column, so none is ever requested.",
    ),
    (
        &["function app.is_subscription_date(*): without moment is null"],
        "A check also passes when it evaluates to null, as a comparison with null does.",
    ),
    (
        &[
            "function app.label_*like(app.label,app.label): without pg_catalog.right(pattern, 1) operator(pg_catalog.<>) E'\\\\'",
        ],
        "A pattern that does not end in a backslash ends in zero of them, an even number: the condition only avoids counting.",
    ),
    (
        &["function app.is_payment_info(jsonb): without app.is_optional_text(info -> 'payment_method', 10)"],
        "Each of the three methods that the previous line allows is a shorter text.",
    ),
];

pub(super) fn reason(name: &str) -> Option<&'static str> {
    let is_named = |patterns: &[&str]| patterns.iter().any(|pattern| matches(pattern, name));
    EQUIVALENT.iter().find(|(patterns, _)| is_named(patterns)).map(|(_, reason)| *reason)
}

pub(super) fn patterns() -> impl Iterator<Item = &'static str> {
    EQUIVALENT.iter().flat_map(|(patterns, _)| patterns.iter().copied())
}

pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests;
