//! The output after startup: the line that scripts wait for, and hints for new users.

use std::io::Write;

/// The demo accounts with descriptions.
const DEMO_ACCOUNTS: [(&str, &str); 6] = [
    ("superadmin", "all admin permissions, and creates admins"),
    ("admin", "approves and moderates, signs in at /admin/login"),
    ("influencer", "approved, gold badge, signs in at /auth"),
    ("pending", "influencer waiting for approval, signs in at /auth"),
    ("agency", "posts gigs, signs in at /agency-auth"),
    ("vendor", "offers services, signs in at /vendor-auth"),
];

/// Writes everything in one call, because a reader may close the pipe after the first line.
pub fn say(url: &str, with_demo_accounts: bool, mail_url: Option<&str>) {
    let mut text = format!("ready {url}\n");
    if with_demo_accounts {
        text.push_str("\nDemo accounts, password serasi-demo:\n");
        for (name, what) in DEMO_ACCOUNTS {
            text.push_str(&format!("  {:<30} {what}\n", format!("{name}@demo.serasi.test")));
        }
    }
    if let Some(mail_url) = mail_url {
        text.push_str(&format!("\nCaptured e-mail appears at {mail_url}\n"));
    }
    text.push_str("\nPress Ctrl-C to stop. Show the keys and the database URL: serasi status --output env\n");
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}
