//! The faults, in the order in which they run.

use std::time::Duration;

use crate::faults::sampling::Kind;

pub struct Fault {
    pub name: &'static str,
    pub about: &'static str,
    pub target: Target,
    pub act: Act,
    pub hold: Duration,
    /// Longest time without a success, of reads and of writes.
    pub limit: Duration,
    /// Kinds of requests that need the broken piece. They must work again afterwards.
    pub spared: &'static [Kind],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Primary,
    /// One of the two replicas.
    Replica(usize),
    EtcdLeader,
    Etcd,
    /// A service with one container.
    One(&'static str),
    /// A service with two containers, one after the other.
    Two(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Switchover,
    Kill,
    Freeze,
    DisconnectFromEtcd,
    Disconnect,
}

/// Limits in seconds: for a fail-over, for a switchover, and for pieces with another instance that takes over.
const FAIL_OVER: u64 = 10;
const SWITCHOVER: u64 = 3;
const SPARE: u64 = 3;
const PICTURES: &[Kind] = &[Kind::Upload, Kind::Replace, Kind::Download];

const fn fault(
    name: &'static str,
    about: &'static str,
    target: Target,
    act: Act,
    hold: u64,
    limit: u64,
) -> Fault {
    let (hold, limit) = (Duration::from_secs(hold), Duration::from_secs(limit));
    Fault { name, about, target, act, hold, limit, spared: &[] }
}

use Act::{Disconnect, DisconnectFromEtcd, Freeze, Kill, Switchover};
use Target::{Etcd, EtcdLeader, One, Primary, Replica, Two};

pub const FAULTS: &[Fault] = &[
    fault("switchover", "a replica becomes the primary, by command", Primary, Switchover, 4, SWITCHOVER),
    fault(
        "primary-killed",
        "kill -9 of the primary's container, away for 15 s",
        Primary,
        Kill,
        15,
        FAIL_OVER,
    ),
    fault("primary-frozen", "the primary's container is paused for 20 s", Primary, Freeze, 20, FAIL_OVER),
    fault(
        "primary-without-etcd",
        "the primary loses the network to etcd only, for 20 s",
        Primary,
        DisconnectFromEtcd,
        20,
        FAIL_OVER,
    ),
    fault("primary-isolated", "the primary loses the network for 20 s", Primary, Disconnect, 20, FAIL_OVER),
    fault("replica-killed", "kill -9 of one replica, away for 8 s", Replica(0), Kill, 8, SPARE),
    fault("standby-killed", "kill -9 of the other replica, away for 8 s", Replica(1), Kill, 8, SPARE),
    fault("replica-frozen", "one replica is paused for 12 s", Replica(0), Freeze, 12, SPARE),
    fault("etcd-leader-killed", "kill -9 of etcd's leader, away for 8 s", EtcdLeader, Kill, 8, SPARE),
    fault("etcd-stopped", "all of etcd is away for 20 s", Etcd, Kill, 20, SPARE),
    fault("haproxy1-killed", "kill -9 of one HAProxy, away for 5 s", One("haproxy1"), Kill, 5, SPARE),
    fault("haproxy2-killed", "kill -9 of the other HAProxy, away for 5 s", One("haproxy2"), Kill, 5, SPARE),
    fault("pgbouncer1-killed", "kill -9 of one PgBouncer, away for 5 s", One("pgbouncer1"), Kill, 5, SPARE),
    fault(
        "pgbouncer2-killed",
        "kill -9 of the other PgBouncer, away for 5 s",
        One("pgbouncer2"),
        Kill,
        5,
        SPARE,
    ),
    fault("gateway-killed", "kill -9 of each gateway in turn", Two("rest-gateway"), Kill, 4, SPARE),
    fault(
        "gateway-frozen",
        "each gateway in turn is paused for 14 s",
        Two("rest-gateway"),
        Freeze,
        14,
        SPARE,
    ),
    fault("auth-killed", "kill -9 of each auth service in turn", Two("auth-service"), Kill, 4, SPARE),
    fault(
        "auth-frozen",
        "each auth service in turn is paused for 14 s",
        Two("auth-service"),
        Freeze,
        14,
        SPARE,
    ),
    fault(
        "storage-killed",
        "kill -9 of each storage service in turn",
        Two("storage-service"),
        Kill,
        4,
        SPARE,
    ),
    fault(
        "storage-frozen",
        "each storage service in turn is paused for 14 s",
        Two("storage-service"),
        Freeze,
        14,
        SPARE,
    ),
    fault("functions-killed", "kill -9 of each functions service in turn", Two("functions"), Kill, 4, SPARE),
    fault(
        "functions-frozen",
        "each functions service in turn is paused for 14 s",
        Two("functions"),
        Freeze,
        14,
        SPARE,
    ),
    fault("pages-killed", "kill -9 of each pages service in turn", Two("pages"), Kill, 4, SPARE),
    fault("pages-frozen", "each pages service in turn is paused for 14 s", Two("pages"), Freeze, 14, SPARE),
    Fault {
        spared: PICTURES,
        ..fault("s3-stopped", "the S3 server is away for 6 s", One("pictures"), Kill, 6, SPARE)
    },
];
