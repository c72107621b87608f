//! What a started Serasi says: the line scripts wait for, and where a newcomer goes next.

use std::io::Write;

/// The demo accounts and what they show.
const DEMO_ACCOUNTS: [(&str, &str); 6] = [
    ("superadmin", "everything an admin may do, and makes admins"),
    ("admin", "approves and moderates, at /admin/login"),
    ("influencer", "approved, gold badge, at /auth"),
    ("pending", "an influencer who waits for approval, at /auth"),
    ("agency", "posts gigs, at /agency-auth"),
    ("vendor", "offers services, at /vendor-auth"),
];

/// One write: a reader that is content with the first line may have gone by the second.
pub fn say(url: &str, with_demo_accounts: bool, shows_mails: bool) {
    let mut text = format!("ready {url}\n");
    if with_demo_accounts {
        text.push_str("\nDemo accounts, password serasi-demo:\n");
        for (name, what) in DEMO_ACCOUNTS {
            text.push_str(&format!("  {:<30} {what}\n", format!("{name}@demo.serasi.test")));
        }
    }
    if shows_mails {
        text.push_str(&format!("\nMails are not sent but shown at {url}/dev/mail\n"));
    }
    text.push_str("\nCtrl-C stops it. Keys and the database's address: serasi status --output env\n");
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}
