use super::*;

fn limits() -> Limits {
    Limits {
        connections: 10,
        reserved: 2,
        expensive: 2,
        queue_length: 100,
        queue_timeout: Duration::from_secs(5),
        pool_timeout: Duration::from_secs(10),
    }
}

/// A visitor.
fn source(number: u8) -> Source {
    Source { network: Some(IpAddr::from([127, 0, 0, number])), account: None }
}

fn account(network: u8, name: &str) -> Source {
    Source { account: Some(name.into()), ..source(network) }
}

/// Every weight has one statement.
fn estimate(weight: Weight) -> Estimate {
    Estimate { weight, shape: weight.index() as u64 }
}

async fn admit(admission: &Admission, source: Source, weight: Weight) -> Result<Permit, AdmissionError> {
    admission.admit(source, estimate(weight)).await
}

/// Runs the statement of this weight until its average is known.
async fn learn(admission: &Admission, weight: Weight, took: Duration) {
    for _ in 0..40 {
        let mut permit = admit(admission, source(99), weight).await.unwrap();
        permit.since -= took;
    }
}

/// Takes as many permits as the client may hold at the same time.
async fn fill(admission: &Admission, source: &Source, weight: Weight) -> Vec<Permit> {
    let mut permits = Vec::new();
    while let Ok(permit) = timeout(Duration::ZERO, admit(admission, source.clone(), weight)).await {
        permits.push(permit.unwrap());
    }
    permits
}

/// The order in which these requests are admitted, one after another, when `first` ends. Those of the first network take a
/// second, those of the second one half a second more.
async fn order_of(
    admission: &Admission,
    first: Permit,
    requests: &[(u8, &'static str)],
) -> Vec<&'static str> {
    let (order_sender, mut order_receiver) = tokio::sync::mpsc::unbounded_channel();
    for (network, name) in requests.iter().copied() {
        let (admission, order_sender) = (admission.clone(), order_sender.clone());
        tokio::spawn(async move {
            let mut permit = admit(&admission, account(network, name), Weight::Ordinary).await.unwrap();
            order_sender.send(name).unwrap();
            permit.since -= Duration::from_millis(500 + 500 * u64::from(network));
            drop(permit);
        });
        tokio::task::yield_now().await;
    }
    drop((first, order_sender));
    let mut order = Vec::new();
    while let Some(name) = order_receiver.recv().await {
        order.push(name);
    }
    order
}

#[tokio::test]
async fn one_client_leaves_room_for_others() {
    let admission = Admission::new(limits());
    let ordinary = fill(&admission, &source(1), Weight::Ordinary).await;
    assert_eq!(ordinary.len(), 7);
    assert_eq!(fill(&admission, &account(1, "a"), Weight::Ordinary).await.len(), 0, "the same address");
    assert_eq!(fill(&admission, &source(1), Weight::Cheap).await.len(), 1);
    let next = fill(&admission, &source(2), Weight::Ordinary).await;
    assert_eq!(next.len(), 1);
    assert_eq!(fill(&admission, &source(3), Weight::Cheap).await.len(), 2);
    drop((ordinary, next));
    assert_eq!(fill(&admission, &source(1), Weight::Cheap).await.len(), 8);
}

#[tokio::test]
async fn few_expensive_statements_run_concurrently() {
    let admission = Admission::new(limits());
    let first = fill(&admission, &source(1), Weight::Expensive).await;
    assert_eq!(first.len(), 1);
    assert_eq!(fill(&admission, &source(2), Weight::Expensive).await.len(), 1);
    assert_eq!(fill(&admission, &source(3), Weight::Cheap).await.len(), 8);
}

#[tokio::test]
async fn the_measured_time_decides_which_statements_are_expensive() {
    let admission = Admission::new(limits());
    learn(&admission, Weight::Ordinary, Duration::from_secs(1)).await;
    assert_eq!(fill(&admission, &source(1), Weight::Ordinary).await.len(), 1);
    learn(&admission, Weight::Expensive, Duration::from_millis(1)).await;
    assert_eq!(fill(&admission, &source(1), Weight::Expensive).await.len(), 7);
}

#[tokio::test]
async fn addresses_and_their_accounts_take_turns() {
    let admission = Admission::new(Limits { connections: 1, reserved: 0, ..limits() });
    let first = admit(&admission, source(9), Weight::Ordinary).await.unwrap();
    let requests = [(1, "a"), (1, "a"), (1, "a"), (1, "b"), (1, "c"), (2, "d"), (2, "d")];
    assert_eq!(order_of(&admission, first, &requests).await, ["a", "d", "b", "d", "c", "a", "a"]);
    assert!(admission.0.state.lock().is_empty());
}

/// Otherwise a new client would wait until the others have used as much time.
#[tokio::test]
async fn idle_time_is_neither_saved_nor_owed() {
    let admission = Admission::new(Limits { connections: 1, reserved: 0, ..limits() });
    let mut first = admit(&admission, source(1), Weight::Ordinary).await.unwrap();
    first.since -= Duration::from_secs(60);
    let requests = [(1, "a"), (2, "b"), (2, "b"), (1, "a")];
    assert_eq!(order_of(&admission, first, &requests).await, ["b", "b", "a", "a"]);
    let first = admit(&admission, source(3), Weight::Ordinary).await.unwrap();
    assert_eq!(order_of(&admission, first, &requests).await, ["a", "b", "a", "b"]);
}

#[tokio::test]
async fn requests_that_would_wait_too_long_are_rejected_immediately() {
    let admission = Admission::new(limits());
    learn(&admission, Weight::Ordinary, Duration::from_secs(3)).await;
    let running = fill(&admission, &source(1), Weight::Ordinary).await;
    let waiting = admit(&admission, source(1), Weight::Ordinary);
    let mut waiting = std::pin::pin!(waiting);
    assert!(timeout(Duration::ZERO, &mut waiting).await.is_err());
    let refused = timeout(Duration::ZERO, admit(&admission, source(1), Weight::Ordinary)).await;
    assert_eq!(refused.unwrap().err(), Some(AdmissionError::Busy));
    // The delays are other clients' fault.
    assert!(timeout(Duration::ZERO, admit(&admission, source(2), Weight::Ordinary)).await.unwrap().is_ok());
    drop(running);
    assert!(waiting.await.is_ok());
}

#[tokio::test]
async fn a_full_queue_loses_a_request_of_the_busiest_address() {
    let admission = Admission::new(Limits { connections: 1, reserved: 0, queue_length: 3, ..limits() });
    let running = admit(&admission, source(1), Weight::Ordinary).await.unwrap();
    let mut waiting: Vec<_> =
        ["a", "b", "c"].map(|name| Box::pin(admit(&admission, account(1, name), Weight::Ordinary))).into();
    for request in &mut waiting {
        assert!(timeout(Duration::ZERO, request).await.is_err());
    }
    let same = timeout(Duration::ZERO, admit(&admission, account(1, "d"), Weight::Ordinary)).await.unwrap();
    assert_eq!(same.err(), Some(AdmissionError::Busy));
    let mut other = Box::pin(admit(&admission, source(2), Weight::Cheap));
    assert!(timeout(Duration::ZERO, &mut other).await.is_err());
    assert_eq!(waiting.pop().unwrap().await.err(), Some(AdmissionError::Busy));
    drop(running);
    drop(other.await.unwrap());
    for request in waiting {
        drop(request.await.unwrap());
    }
    assert!(admission.0.state.lock().is_empty());
}

#[tokio::test]
async fn outliers_do_not_make_a_statement_expensive() {
    let admission = Admission::new(limits());
    learn(&admission, Weight::Ordinary, Duration::from_millis(1)).await;
    // The process was paused while these ran.
    for mut permit in fill(&admission, &source(1), Weight::Ordinary).await.into_iter().take(2) {
        permit.since -= Duration::from_secs(5);
    }
    assert_eq!(fill(&admission, &source(1), Weight::Ordinary).await.len(), 7);
}

#[tokio::test]
async fn the_shorter_of_both_timeouts_is_reported() {
    let short = Duration::from_millis(20);
    for (limits, error) in [
        (Limits { pool_timeout: short, ..limits() }, AdmissionError::PoolTimeout),
        (Limits { queue_timeout: short, ..limits() }, AdmissionError::Busy),
    ] {
        let admission = Admission::new(Limits { connections: 1, reserved: 0, ..limits });
        let _running = admit(&admission, source(1), Weight::Cheap).await.unwrap();
        assert_eq!(admit(&admission, source(2), Weight::Cheap).await.err(), Some(error));
    }
}

#[tokio::test]
async fn dropped_requests_release_everything() {
    let admission = Admission::new(Limits { connections: 2, reserved: 0, ..limits() });
    let mut tasks = Vec::new();
    for number in 0..200_u8 {
        let admission = admission.clone();
        tasks.push(tokio::spawn(async move {
            let turn = admit(&admission, source(number % 7), Weight::ALL[usize::from(number % 3)]);
            let permit = timeout(Duration::from_micros(u64::from(number) * 40), turn).await;
            tokio::time::sleep(Duration::from_micros(100)).await;
            drop(permit);
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert!(admission.0.state.lock().is_empty());
}
