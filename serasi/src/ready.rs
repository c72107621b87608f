//! What a started Serasi says: the line scripts wait for, and where a newcomer goes next.

/// The demo accounts and what they show.
const DEMO_ACCOUNTS: [(&str, &str); 6] = [
    ("superadmin", "everything an admin may do, and makes admins"),
    ("admin", "approves and moderates, at /admin/login"),
    ("influencer", "approved, gold badge, at /auth"),
    ("pending", "an influencer who waits for approval, at /auth"),
    ("agency", "posts gigs, at /agency-auth"),
    ("vendor", "offers services, at /vendor-auth"),
];

pub fn say(url: &str, with_demo_accounts: bool) {
    println!("ready {url}");
    if with_demo_accounts {
        println!("\nDemo accounts, password serasi-demo:");
        for (name, what) in DEMO_ACCOUNTS {
            println!("  {:<30} {what}", format!("{name}@demo.serasi.test"));
        }
    }
    println!("\nCtrl-C stops it. Keys and the database's address: serasi status --output env");
}
