//! Latency at a constant rate. Requests are due at fixed times, whether or not earlier ones were answered, and each
//! latency counts from the time its request was due. So a stall of the server shows in all requests it delays.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::http::Connection;

pub struct Load {
    pub address: SocketAddr,
    /// The requests, sent in turn.
    pub requests: Vec<Vec<u8>>,
    pub per_second: f64,
    pub connections: usize,
    pub length: Duration,
}

pub struct Answer {
    /// When the request was due.
    pub due: Instant,
    /// Milliseconds from then until the response was complete.
    pub took: f64,
}

impl Load {
    /// # Errors
    /// When a request fails.
    pub fn run(&self) -> anyhow::Result<Vec<Answer>> {
        let next = AtomicU64::new(0);
        let start = Instant::now() + Duration::from_millis(50);
        let due = |number: u64| start + Duration::from_secs_f64(number as f64 / self.per_second);
        // Threads and blocking sockets, because tokio's timers are accurate to a millisecond only.
        let client = || -> anyhow::Result<Vec<Answer>> {
            wake_up_on_time();
            let mut connection = Connection::open(self.address)?;
            let mut answers = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let due = due(number);
                if due >= start + self.length {
                    return Ok(answers);
                }
                thread::sleep(due.saturating_duration_since(Instant::now()));
                let index = usize::try_from(number)? % self.requests.len();
                let status = connection.exchange(&self.requests[index])?;
                ensure!((200..300).contains(&status), "a request got {status}");
                answers.push(Answer { due, took: due.elapsed().as_secs_f64() * 1000.0 });
            }
        };
        thread::scope(|scope| {
            let clients: Vec<_> = (0..self.connections).map(|_| scope.spawn(client)).collect();
            let mut all = Vec::new();
            for client in clients {
                let answers = client.join().ok().context("a client panicked")?;
                all.extend(answers?);
            }
            Ok(all)
        })
    }
}

/// Linux lets threads oversleep by 50 µs unless told otherwise.
fn wake_up_on_time() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// Answers immediately, except for one pause.
    fn server(pause: Duration) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let mut answered = 0;
            while stream.read(&mut request).is_ok_and(|read| read > 0) {
                if answered == 50 {
                    thread::sleep(pause);
                }
                answered += 1;
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
            }
        });
        address
    }

    #[test]
    fn a_stall_counts_for_every_request_it_delays() {
        let pause = Duration::from_millis(300);
        let load = Load {
            address: server(pause),
            requests: vec![b"GET / HTTP/1.1\r\n\r\n".to_vec()],
            per_second: 200.0,
            connections: 1,
            length: Duration::from_secs(1),
        };
        let answers = load.run().unwrap();
        assert_eq!(answers.len(), 200);
        // 60 requests were due during the pause, and half of them had to wait for more than half of it. A client
        // that waits for each answer before it sends the next request would see one. A busy machine delays more.
        let delayed = answers.iter().filter(|answer| answer.took > 150.0).count();
        assert!(delayed >= 25, "{delayed} requests were delayed");
    }
}
