//! Faults of the mail server.

use std::time::Duration;

use futures::FutureExt;

use super::mail_server::Mode;
use super::outcome::{Limits, NONE, Outcome};
use super::sampling::Kind;
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);
/// How long e-mails that were deferred twice may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Sign-up must not wait for the mail server. Hashing a password takes a while in a debug build.
const SIGN_UP: Duration = Duration::from_secs(3);

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "mail-silent",
        about: "the mail server accepts connections and sends nothing, for 8 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| mail(lab, Mode::SilentAtConnect).boxed_local(),
    },
    Fault {
        name: "mail-unanswered",
        about: "the mail server accepts messages without confirming them, for 8 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| mail(lab, Mode::SilentAfterMessage).boxed_local(),
    },
    Fault {
        name: "mail-refuses",
        about: "the mail server replies 421 for 8 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| mail(lab, Mode::Refuse).boxed_local(),
    },
    Fault {
        name: "mail-gone",
        about: "the mail server refuses connections for 8 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| mail(lab, Mode::Gone).boxed_local(),
    },
];

async fn mail(lab: &mut SharedProducts<'_>, mode: Mode) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let normal = std::mem::replace(&mut stage.mail_patience, PATIENCE);
    let outcome = stage
        .observe(
            8 * SECOND,
            async |stage| {
                stage.mails.set(mode);
                Ok(())
            },
            async |stage| {
                stage.mails.set(Mode::Accept);
                Ok(())
            },
        )
        .await;
    stage.mail_patience = normal;
    let mut outcome = outcome?;
    let longest = outcome.longest_of(Kind::SignUp);
    outcome.check(longest < SIGN_UP, format!("a sign-up took {:.1} s", longest.as_secs_f64()));
    let (doubled, waiting) = (outcome.kept.mails_doubled, outcome.kept.mails_waiting);
    outcome.note(format!(
        "duplicate e-mails {doubled}, still in the outbox after {} s {waiting}",
        PATIENCE.as_secs()
    ));
    outcome.check(waiting == 0, format!("{waiting} e-mails are still in the outbox"));
    // The server accepted them without confirming, so they are sent again with the same Message-ID (ARCHITECTURE.md).
    outcome
        .check(doubled == 0 || mode == Mode::SilentAfterMessage, format!("{doubled} e-mails arrived twice"));
    Ok(outcome)
}
