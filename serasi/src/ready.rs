//! The output after startup: the line that scripts wait for, and hints for new users.

use std::io::Write;

/// Writes everything in one call, because a reader may close the pipe after the first line.
pub fn say(url: &str, demo_accounts: Option<&str>, mail_url: Option<&str>) {
    let mut text = format!("ready {url}\n");
    if let Some(accounts) = demo_accounts {
        text.push_str(&format!("\n{accounts}"));
    }
    if let Some(mail_url) = mail_url {
        text.push_str(&format!("\nCaptured e-mail appears at {mail_url}\n"));
    }
    text.push_str("\nPress Ctrl-C to stop. Show the keys and the database URL: serasi status --output env\n");
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}
