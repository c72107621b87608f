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

fn client(number: u8) -> Client {
    Client::Address(IpAddr::from([127, 0, 0, number]))
}

/// Takes as many permits as the client may hold at the same time.
async fn fill(admission: &Admission, client: &Client, weight: Weight) -> Vec<Permit> {
    let mut permits = Vec::new();
    while let Ok(permit) = timeout(Duration::ZERO, admission.admit(client.clone(), weight)).await {
        permits.push(permit.unwrap());
    }
    permits
}

#[tokio::test]
async fn one_client_leaves_room_for_others() {
    let admission = Admission::new(limits());
    let ordinary = fill(&admission, &client(1), Weight::Ordinary).await;
    assert_eq!(ordinary.len(), 7);
    assert_eq!(fill(&admission, &client(1), Weight::Cheap).await.len(), 1);
    let next = fill(&admission, &client(2), Weight::Ordinary).await;
    assert_eq!(next.len(), 1);
    assert_eq!(fill(&admission, &client(3), Weight::Cheap).await.len(), 2);
    drop((ordinary, next));
    assert_eq!(fill(&admission, &client(1), Weight::Cheap).await.len(), 8);
}

#[tokio::test]
async fn few_expensive_statements_run_concurrently() {
    let admission = Admission::new(limits());
    assert_eq!(fill(&admission, &client(1), Weight::Expensive).await.len(), 2);
    for _ in 0..20 {
        let permit = admission.admit(client(1), Weight::Expensive).await.unwrap();
        permit.admission.0.state().average = [Duration::from_secs(1); 3];
    }
    let slow = fill(&admission, &client(1), Weight::Expensive).await;
    assert_eq!(slow.len(), 1);
    assert_eq!(fill(&admission, &client(2), Weight::Expensive).await.len(), 1);
    assert_eq!(fill(&admission, &client(3), Weight::Cheap).await.len(), 8);
}

#[tokio::test]
async fn clients_take_turns() {
    let admission = Admission::new(Limits { connections: 1, reserved: 0, ..limits() });
    let first = admission.admit(client(1), Weight::Ordinary).await.unwrap();
    let (order_sender, mut order_receiver) = tokio::sync::mpsc::unbounded_channel();
    for number in [1, 1, 1, 2, 3] {
        let (admission, order_sender) = (admission.clone(), order_sender.clone());
        tokio::spawn(async move {
            let permit = admission.admit(client(number), Weight::Ordinary).await.unwrap();
            order_sender.send(number).unwrap();
            drop(permit);
        });
        tokio::task::yield_now().await;
    }
    drop((first, order_sender));
    let mut order = Vec::new();
    while let Some(number) = order_receiver.recv().await {
        order.push(number);
    }
    assert_eq!(order, [1, 2, 3, 1, 1]);
}

#[tokio::test]
async fn requests_that_would_wait_too_long_are_rejected_immediately() {
    let admission = Admission::new(limits());
    admission.0.state().average = [Duration::from_secs(3); 3];
    let running = fill(&admission, &client(1), Weight::Expensive).await;
    let waiting = admission.admit(client(1), Weight::Expensive);
    let mut waiting = std::pin::pin!(waiting);
    assert!(timeout(Duration::ZERO, &mut waiting).await.is_err());
    let refused = timeout(Duration::ZERO, admission.admit(client(1), Weight::Expensive)).await;
    assert_eq!(refused.unwrap().err(), Some(AdmissionError::Busy));
    // The delays are other clients' fault.
    assert!(timeout(Duration::ZERO, admission.admit(client(2), Weight::Expensive)).await.unwrap().is_ok());
    drop(running);
    assert!(waiting.await.is_ok());
}

#[tokio::test]
async fn outliers_do_not_cause_later_rejections() {
    let admission = Admission::new(limits());
    // The process was paused while these ran.
    for mut permit in fill(&admission, &client(1), Weight::Ordinary).await {
        permit.since -= Duration::from_secs(5);
    }
    let average = admission.0.state().average[Weight::Ordinary.index()];
    assert!(average < Duration::from_millis(500), "{average:?}");
}

#[tokio::test]
async fn a_waiting_request_times_out() {
    let (short, shorter) = (Duration::from_millis(60), Duration::from_millis(30));
    let one = Limits { connections: 1, reserved: 0, queue_timeout: short, ..limits() };
    let admission = Admission::new(one.clone());
    let running = admission.admit(client(1), Weight::Ordinary).await.unwrap();
    assert_eq!(admission.admit(client(2), Weight::Ordinary).await.err(), Some(AdmissionError::Busy));
    let full = Admission::new(Limits { queue_length: 0, ..one.clone() });
    let busy = full.admit(client(1), Weight::Ordinary).await.unwrap();
    let refused = timeout(Duration::ZERO, full.admit(client(2), Weight::Ordinary)).await;
    assert_eq!(refused.unwrap().err(), Some(AdmissionError::Busy));
    let short_timeout = Admission::new(Limits { pool_timeout: shorter, ..one });
    let held = short_timeout.admit(client(1), Weight::Ordinary).await.unwrap();
    assert_eq!(
        short_timeout.admit(client(2), Weight::Ordinary).await.err(),
        Some(AdmissionError::PoolTimeout)
    );
    drop((running, busy, held));
    assert!(
        admission.0.state().is_empty() && full.0.state().is_empty() && short_timeout.0.state().is_empty()
    );
}

#[tokio::test]
async fn dropped_requests_release_everything() {
    let admission = Admission::new(Limits { connections: 2, reserved: 0, ..limits() });
    let mut tasks = Vec::new();
    for number in 0..200_u8 {
        let admission = admission.clone();
        tasks.push(tokio::spawn(async move {
            let turn = admission.admit(client(number % 7), Weight::ALL[usize::from(number % 3)]);
            let permit = timeout(Duration::from_micros(u64::from(number) * 40), turn).await;
            tokio::time::sleep(Duration::from_micros(100)).await;
            drop(permit);
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert!(admission.0.state().is_empty());
}
