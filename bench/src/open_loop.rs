//! Latency at a constant rate. Requests are due at fixed times, whether or not earlier ones were answered, and each
//! latency counts from the time its request was due. So a stall of the server shows in all requests it delays.

use std::time::{Duration, Instant};

use futures::future::try_join_all;
use tokio::time::sleep_until;

pub struct Answer {
    /// Milliseconds from when the request was due until its response was complete.
    pub took: f64,
    pub status: u16,
}

/// `send` gets the number of the request, and returns the status of its response.
///
/// # Errors
/// When a request gets no response.
pub async fn run<F: Future<Output = anyhow::Result<u16>>>(
    per_second: u32,
    length: Duration,
    send: impl Fn(u32) -> F,
) -> anyhow::Result<Vec<Answer>> {
    let start = Instant::now();
    let count = (length.as_secs_f64() * f64::from(per_second)) as u32;
    let one = |number: u32| {
        let due = start + Duration::from_secs(1) * number / per_second;
        let request = send(number);
        async move {
            sleep_until(due.into()).await;
            let status = request.await?;
            Ok(Answer { took: due.elapsed().as_secs_f64() * 1000.0, status })
        }
    };
    try_join_all((0..count).map(one)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that answers one request after the other: immediately, except for one pause.
    #[tokio::test]
    async fn a_stall_counts_for_every_request_it_delays() {
        let server = tokio::sync::Mutex::new(());
        let send = |number: u32| {
            let server = &server;
            async move {
                let _turn = server.lock().await;
                if number == 50 {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
                Ok(200)
            }
        };
        let answers = run(200, Duration::from_secs(1), send).await.unwrap();
        assert_eq!(answers.len(), 200);
        // 60 requests were due during the pause, and half of them had to wait for more than half of it. A busy machine
        // delays more.
        let delayed = answers.iter().filter(|answer| answer.took > 150.0 && answer.status == 200).count();
        assert!(delayed >= 25, "{delayed} requests were delayed");
    }
}
