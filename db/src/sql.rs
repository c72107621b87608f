//! The re-applied SQL, in this order: views may use functions, and policies may use both.

macro_rules! embed {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../", $path)))),*]
    };
}

pub(crate) const REAPPLIED: &[(&str, &str)] = embed![
    "functions/app_maintenance.sql",
    "functions/app_checks.sql",
    "functions/app_hashes.sql",
    "functions/auth.sql",
    "functions/app_access.sql",
    "functions/app_accounts.sql",
    "functions/app_foreign_rows.sql",
    "functions/app_moderation.sql",
    "functions/app_audit.sql",
    "functions/app_backups.sql",
    "functions/app_limits.sql",
    "functions/app_notify.sql",
    "functions/app_digest.sql",
    "functions/app_parties.sql",
    "functions/app_locks.sql",
    "functions/app_collaborations.sql",
    "functions/app_guest_links.sql",
    "functions/app_enquiries.sql",
    "functions/app_enquiry_states.sql",
    "functions/app_enquiry_guests.sql",
    "functions/app_reviews.sql",
    "functions/app_guest_reviews.sql",
    "functions/app_erasure.sql",
    "functions/app_retention.sql",
    "functions/app_statistics.sql",
    "functions/app_factors.sql",
    "functions/app_sessions.sql",
    "functions/app_schedule.sql",
    "functions/app_report_subjects.sql",
    "functions/app_report_actions.sql",
    "functions/app_reports.sql",
    "functions/app_trust.sql",
    "functions/app_applications.sql",
    "functions/app_gig_closing.sql",
    "functions/app_notices.sql",
    "functions/app_removals.sql",
    "functions/app_views.sql",
    "functions/app_profiles.sql",
    "functions/storage.sql",
    "views/auth.skipped.sql",
    "views/public.agencies.sql",
    "views/public.audit_log.sql",
    "views/public.backups.sql",
    "views/public.blocked_senders.sql",
    "views/public.collaborations.sql",
    "views/public.enquiries.sql",
    "views/public.favorites.sql",
    "views/public.gig_applications.sql",
    "views/public.gigs.sql",
    "views/public.gig_status.sql",
    "views/public.influencers.sql",
    "views/public.moderation_counts.sql",
    "views/public.newsletter_subscriptions.sql",
    "views/public.notices.sql",
    "views/public.notification_settings.sql",
    "views/public.notifications.sql",
    "views/public.profiles.sql",
    "views/public.report_counts.sql",
    "views/public.report_decisions.sql",
    "views/public.reports.sql",
    "views/public.reviews.sql",
    "views/public.user_roles.sql",
    "views/public.vendors.sql",
    "functions/app_health.sql",
    "functions/public_featured.sql",
    "functions/public_notifications.sql",
    "functions/public_search.sql",
    "policies/app.agencies.sql",
    "policies/app.agency_moderation.sql",
    "policies/app.audit_log.sql",
    "policies/app.backups.sql",
    "policies/app.blocked_senders.sql",
    "policies/app.collaborations.sql",
    "policies/app.digests.sql",
    "policies/app.enquiries.sql",
    "policies/app.enquiry_briefs.sql",
    "policies/app.erasures.sql",
    "policies/app.favorites.sql",
    "policies/app.gig_applications.sql",
    "policies/app.gigs.sql",
    "policies/app.guest_links.sql",
    "policies/app.hash_key.sql",
    "policies/app.influencer_moderation.sql",
    "policies/app.influencer_private.sql",
    "policies/app.influencers.sql",
    "policies/app.mail_outbox.sql",
    "policies/app.newsletter_allowances.sql",
    "policies/app.newsletter_subscriptions.sql",
    "policies/app.notices.sql",
    "policies/app.notification_settings.sql",
    "policies/app.profiles.sql",
    "policies/app.report_decisions.sql",
    "policies/app.reports.sql",
    "policies/app.retention.sql",
    "policies/app.reviews.sql",
    "policies/app.system_reports.sql",
    "policies/app.unsubscribe_tokens.sql",
    "policies/app.user_roles.sql",
    "policies/app.vendor_moderation.sql",
    "policies/app.vendors.sql",
    "policies/auth.flow_state.sql",
    "policies/auth.identities.sql",
    "policies/auth.mail_allowances.sql",
    "policies/auth.mfa_challenges.sql",
    "policies/auth.mfa_factors.sql",
    "policies/auth.mfa_failures.sql",
    "policies/auth.mfa_recovery_codes.sql",
    "policies/auth.one_time_tokens.sql",
    "policies/auth.refresh_tokens.sql",
    "policies/auth.sessions.sql",
    "policies/auth.settings.sql",
    "policies/auth.sign_in_failures.sql",
    "policies/auth.users.sql",
    "policies/storage.buckets.sql",
    "policies/storage.objects.sql",
    "policies/storage.removals.sql",
];

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    /// A file missing from the list would be a rule that is never applied.
    #[test]
    fn every_sql_file_is_applied() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let on_disk: BTreeSet<String> = ["functions", "views", "policies"]
            .iter()
            .flat_map(|folder| {
                let entries = std::fs::read_dir(root.join(folder)).expect("read the folder");
                entries.map(move |entry| {
                    format!("{folder}/{}", entry.expect("entry").file_name().to_string_lossy())
                })
            })
            .collect();

        let applied: BTreeSet<String> = super::REAPPLIED.iter().map(|(name, _)| (*name).to_owned()).collect();

        assert_eq!(applied, on_disk);
    }

    /// An upgrade looks for functions with earlier parameters in the file that creates the name.
    #[test]
    fn an_object_is_created_by_one_file() {
        let mut owners = BTreeMap::new();
        for (file, sql) in super::REAPPLIED {
            for object in crate::objects::created_by(sql) {
                let other = owners.insert(object.clone(), file);
                assert_eq!(other, None, "{object} is also in {file}");
            }
        }
    }
}
