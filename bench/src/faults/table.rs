//! Every fault: what breaks, what clients may see, and what mends it.

use std::time::Duration;

use test_support::faulty_proxy::Fault as Path;

use super::checks::Check::{self, *};
use super::floods::Flood;
use super::mail_server::Mode;
use super::outcome::Limits;
use super::product::LogReader;
use super::sampling::Answer;
use super::stage::On;

pub struct Fault {
    pub group: &'static str,
    pub name: &'static str,
    pub about: &'static str,
    pub on: On,
    pub limits: Limits,
    pub breaks: Act,
    /// How many seconds pass before it is mended.
    pub hold: u64,
    pub mends: Act,
    /// Expectations besides the limits.
    pub checks: &'static [Check],
}

/// A step that breaks or mends something.
#[derive(Clone, Copy)]
pub enum Act {
    Nothing,
    /// A script for `bash` with the functions of `acts.sh`.
    Sh(&'static str),
    Network(Path),
    Mail(Mode),
    Log(LogReader),
    /// Stops or starts an external PostgreSQL.
    StopPostgres,
    StartPostgres,
    CutConnections,
    LoseAnswers,
    /// Ends serasi with SIGTERM.
    Terminate,
    Start,
    /// SIGTERM, then a start while the database is unreachable.
    StartWithoutDatabase,
    BringDatabaseBack,
    /// Kills and starts serasi three times.
    KillThrice,
    Flood(Flood),
}

use Act::{Flood as Flooded, Log, Mail, Network, Nothing, Sh};

const UNAVAILABLE: &[Answer] = &[Answer::Status(503)];
/// Allowed answers during faults that end the process.
const GONE: &[Answer] = &[Answer::Status(503), Answer::Refused, Answer::Cut];
const STOPPED: &[Answer] = &[Answer::Refused, Answer::Status(503)];
const NONE: &[Answer] = &[];
const READ_ONLY: &[Answer] = &[Answer::Status(405), Answer::Status(503)];
const SLOW: &[Answer] = &[Answer::Status(503), Answer::Status(504)];
/// A full disk has its own status.
const FULL: &[Answer] = &[Answer::Status(503), Answer::Status(507)];
/// A picture without its file is 'not found' (status 400 in this API), whatever the reason.
const NO_FILE: &[Answer] = &[Answer::Status(400), Answer::Status(500), Answer::Status(503)];
/// Requests whose session has expired by the new clock get this status.
const EXPIRED: &[Answer] = &[Answer::Status(400), Answer::Status(401), Answer::Status(403)];

const DELAY: Duration = Duration::from_millis(200);

const fn fault(
    group: &'static str,
    name: &'static str,
    about: &'static str,
    on: On,
    limits: Limits,
) -> Fault {
    Fault { group, name, about, on, limits, breaks: Nothing, hold: 0, mends: Nothing, checks: &[] }
}

impl Fault {
    const fn by(self, breaks: Act, hold: u64, mends: Act) -> Self {
        Self { breaks, hold, mends, ..self }
    }

    const fn expecting(self, checks: &'static [Check]) -> Self {
        Self { checks, ..self }
    }
}

const fn postgres(name: &'static str, about: &'static str, on: On, known_after: u64) -> Fault {
    fault("PostgreSQL", name, about, on, Limits::outage(known_after))
}

const fn limit(name: &'static str, about: &'static str, refusals: &'static [Answer]) -> Fault {
    fault("PostgreSQL at a limit", name, about, On::External, Limits::new(refusals, 10, 2))
}

const fn network(name: &'static str, about: &'static str, limits: Limits) -> Fault {
    fault("Network to the database", name, about, On::External, limits)
}

const fn storage(name: &'static str, about: &'static str, on: On, refusals: &'static [Answer]) -> Fault {
    fault("Storage", name, about, on, Limits::new(refusals, 5, 2))
}

const fn process(name: &'static str, about: &'static str, on: On, limits: Limits) -> Fault {
    fault("Process", name, about, on, limits)
}

const fn clock(name: &'static str, about: &'static str, on: On, jump: &'static str) -> Fault {
    fault("Clock", name, about, on, Limits::new(EXPIRED, 5, 3))
        .by(Sh(jump), 0, Sh("set_clock +0s"))
        .expecting(&[Sessions])
}

const fn mail(name: &'static str, about: &'static str, mode: Mode) -> Fault {
    let fault = fault("Mail", name, about, On::External, Limits::new(NONE, 5, 2));
    fault.by(Mail(mode), 8, Mail(Mode::Accept)).expecting(&[MailDelivered])
}

const fn clients(name: &'static str, about: &'static str, flood: Flood) -> Fault {
    fault("Clients", name, about, On::Fresh, Limits::new(NONE, 5, 2))
        .by(Flooded(flood), 0, Nothing)
        .expecting(&[Memory])
}

pub const FAULTS: &[Fault] = &[
    postgres("postmaster-killed", "embedded PostgreSQL: kill -9 of the postmaster", On::Embedded, 5).by(
        Sh("kill_postmaster"),
        0,
        Sh("await_postgres"),
    ),
    postgres(
        "postmaster-killed-external",
        "external PostgreSQL: kill -9 of the postmaster, back after 6 s",
        On::External,
        3,
    )
    .by(Sh("kill_postmaster"), 6, Act::StartPostgres),
    postgres(
        "backend-killed",
        "kill -9 of one backend: PostgreSQL ends all connections and recovers",
        On::External,
        3,
    )
    .by(Sh("kill_backend"), 1, Nothing),
    postgres("postgres-stopped", "SIGSTOP of the postmaster and all backends for 14 s", On::External, 11).by(
        Sh("freeze_postgres"),
        14,
        Sh("thaw_postgres"),
    ),
    postgres("postgres-restarted", "clean restart of an external PostgreSQL, down for 3 s", On::External, 3)
        .by(Act::StopPostgres, 3, Act::StartPostgres),
    postgres(
        "database-absent-at-start",
        "external database unreachable when serasi starts, for 6 s",
        On::External,
        3,
    )
    .by(Act::StartWithoutDatabase, 6, Act::BringDatabaseBack)
    .expecting(&[WaitsForDatabase]),
    Fault {
        limits: Limits::outage(3),
        ..limit(
            "connections-exhausted",
            "other clients use all of PostgreSQL's connections for 6 s",
            UNAVAILABLE,
        )
    }
    .by(Sh("exhaust_connections"), 6, Sh("release_connections")),
    limit("row-locked", "another transaction locks a row for 8 s", UNAVAILABLE)
        .by(Sh("hold_lock 'select from app.agencies for update'"), 0, Nothing)
        .expecting(&[LongestRead]),
    limit("table-locked", "another transaction locks two tables for 8 s (like a migration)", SLOW).by(
        Sh("hold_lock 'lock table app.agencies, app.gigs in access exclusive mode'"),
        0,
        Nothing,
    ),
    limit("read-only", "the server is read-only for 4 s (as a replica after a failover)", READ_ONLY)
        .by(Sh("set_read_only on"), 4, Sh("set_read_only off"))
        .expecting(&[ReadsWork]),
    Fault {
        on: On::SmallDisk,
        limits: Limits::new(UNAVAILABLE, 10, 5),
        ..limit("disk-full", "the disk of the embedded database is full, including WAL, for 8 s", UNAVAILABLE)
    }
    .by(Sh("fill_database_disk"), 8, Sh("rm \"$DATA/filler\""))
    .expecting(&[ReadsReturn]),
    network(
        "connections-cut",
        "all connections to the database are cut, five times",
        Limits::new(UNAVAILABLE, 3, 2),
    )
    .by(Act::CutConnections, 0, Nothing),
    network(
        "commit-unanswered",
        "the database executes every statement, but all responses are lost, then the connections",
        Limits::new(UNAVAILABLE, 10, 2),
    )
    .by(Act::LoseAnswers, 0, Nothing),
    network("database-delayed", "200 ms more each way to the database, for 10 s", Limits::new(NONE, 10, 5))
        .by(Network(Path::Delay(DELAY)), 10, Network(Path::None)),
    network("black-hole", "the network drops all packets to the database for 16 s", Limits::outage(11))
        .by(Network(Path::BlackHole), 16, Network(Path::None))
        .expecting(&[NotReadySoon]),
    network("database-refuses", "the database refuses connections for 8 s", Limits::outage(2)).by(
        Network(Path::Refuse),
        8,
        Network(Path::None),
    ),
    storage("storage-renamed", "the image folder is renamed for 4 s", On::External, NO_FILE)
        .by(Sh("mv \"$STORAGE\" \"$STORAGE.away\""), 3, Sh("bring_storage_back"))
        .expecting(&[DeleteRefused, OthersWork]),
    storage(
        "storage-unmounted",
        "the image folder's disk is unmounted for 4 s, leaving an empty folder",
        On::MountedStorage,
        NO_FILE,
    )
    .by(Sh("umount -l \"$STORAGE\""), 3, Sh("mount --bind \"$STORAGE.real\" \"$STORAGE\""))
    .expecting(&[DeleteRefused, OthersWork]),
    storage("storage-read-only", "the image folder's disk is read-only for 4 s", On::SmallStorage, NO_FILE)
        .by(Sh("make_disk_read_only"), 4, Sh("mount -o remount,rw \"$DISK\""))
        .expecting(&[OthersWork, DownloadsWork]),
    storage("storage-full", "the image folder's disk is full for 4 s", On::SmallStorage, FULL)
        .by(Sh("fill_disk \"$DISK\""), 4, Sh("rm \"$DISK/filler\""))
        .expecting(&[OthersWork, DownloadsWork]),
    storage("blob-lost", "the file of one picture is missing", On::External, UNAVAILABLE)
        .by(Sh("lose_blob"), 1, Nothing)
        .expecting(&[PictureNotFound]),
    process(
        "serasi-killed",
        "kill -9 of serasi during writes, then a restart, three times",
        On::Embedded,
        Limits::new(GONE, 10, 2),
    )
    .by(Act::KillThrice, 0, Nothing),
    process(
        "serasi-terminated",
        "SIGTERM under load, then a restart",
        On::Embedded,
        Limits::new(STOPPED, 10, 2),
    )
    .by(Act::Terminate, 0, Act::Start),
    process("serasi-stopped", "SIGSTOP of serasi for 5 s", On::Embedded, Limits::new(NONE, 8, 2)).by(
        Sh("kill -STOP $SERASI"),
        5,
        Sh("kill -CONT $SERASI"),
    ),
    process(
        "descriptors-exhausted",
        "limit of 200 file descriptors while other clients hold 300 connections for 4 s",
        On::FewDescriptors,
        Limits::new(GONE, 15, 5),
    )
    .by(Flooded(Flood::Idle), 0, Nothing),
    process(
        "log-reader-dead",
        "the reader of serasi's stderr has exited",
        On::LogPipe,
        Limits::new(NONE, 5, 2),
    )
    .by(Log(LogReader::Dead), 8, Nothing),
    process(
        "log-reader-stalled",
        "the reader of serasi's stderr has stopped reading",
        On::LogPipe,
        Limits::new(NONE, 5, 2),
    )
    .by(Log(LogReader::Stalled), 8, Log(LogReader::Reads)),
    process("log-disk-full", "the disk that receives stderr is full", On::LogDisk, Limits::new(NONE, 5, 2))
        .by(Sh("fill_disk \"$DISK\""), 4, Sh("rm \"$DISK/filler\"")),
    clock(
        "clock-forward",
        "serasi's clock is 2 h ahead of PostgreSQL's for some seconds",
        On::Clock,
        "set_clock +2h",
    ),
    clock(
        "clock-back",
        "serasi's clock is 2 h behind PostgreSQL's for some seconds",
        On::Clock,
        "set_clock -2h",
    ),
    clock(
        "clock-forward-both",
        "serasi's and PostgreSQL's clocks jump 2 h ahead and return",
        On::BothClocks,
        "set_clock +2h",
    ),
    clock(
        "clock-back-both",
        "serasi's and PostgreSQL's clocks jump 2 h back and return",
        On::BothClocks,
        "set_clock -2h",
    ),
    mail(
        "mail-silent",
        "the mail server accepts connections and sends nothing, for 8 s",
        Mode::SilentAtConnect,
    ),
    mail(
        "mail-unanswered",
        "the mail server accepts messages without confirming them, for 8 s",
        Mode::SilentAfterMessage,
    ),
    mail("mail-refuses", "the mail server replies 421 for 8 s", Mode::Refuse),
    mail("mail-gone", "the mail server refuses connections for 8 s", Mode::Gone),
    clients("silent-connections", "2,000 connections that send nothing, for 8 s", Flood::Silent),
    clients("unfinished-bodies", "2,000 bodies of 1 MB that stall at 0.9 MB, for 17 s", Flood::Unfinished),
    clients(
        "slow-readers",
        "200 clients request 3 MB each and don't read the response, for 8 s",
        Flood::Unread,
    ),
    clients(
        "expensive-patterns",
        "64 connections send requests with 20 or 60 regular expressions each, for 10 s",
        Flood::Patterns,
    ),
    clients("large-renders", "16 concurrent renders of a 25-megapixel picture to AVIF", Flood::Renders),
];
