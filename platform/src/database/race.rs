//! Tries several hosts.

use std::pin::pin;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::time::sleep;

/// How long a host may take before the next one is tried, too. A frozen host refuses no connection.
const HEAD_START: Duration = Duration::from_millis(250);

/// Whether a host is of the wanted kind, or is used only if none of that kind responds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    Wanted,
    Second,
}

/// Makes one attempt for each host, beginning with `first`. The next attempt begins when one has failed, or
/// is taking too long. Returns the index of the host with the result.
///
/// # Errors
/// The last error if all attempts fail. `None` if there are no hosts.
pub async fn race<T, E, Attempt>(
    count: usize,
    first: usize,
    attempt: impl Fn(usize) -> Attempt,
) -> Result<(usize, T), Option<E>>
where
    Attempt: Future<Output = Result<(T, Rank), E>>,
{
    let mut turns = (0..count).map(|turn| (first + turn) % count).peekable();
    let mut running = FuturesUnordered::new();
    let (mut second, mut failure) = (None, None);
    loop {
        if let Some(index) = turns.next() {
            let attempt = attempt(index);
            running.push(async move { (index, attempt.await) });
        }
        let head_start = pin!(sleep(HEAD_START));
        let ended = tokio::select! {
            biased;
            ended = running.next() => ended,
            () = head_start, if turns.peek().is_some() => continue,
        };
        match ended {
            Some((index, Ok((result, Rank::Wanted)))) => return Ok((index, result)),
            Some((index, Ok((result, Rank::Second)))) => second = second.or(Some((index, result))),
            Some((_, Err(error))) => failure = Some(error),
            None => return second.ok_or(failure),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test]
    async fn the_first_host_that_answers_as_wanted_is_used() {
        let of = async |first, answers: [Option<Result<Rank, &'static str>>; 3]| {
            let attempt = |index: usize| async move {
                match answers[index] {
                    Some(answer) => answer.map(|rank| (index, rank)),
                    None => pending().await,
                }
            };
            race(3, first, attempt).await.map(|(index, _)| index)
        };
        let (wanted, second) = (Some(Ok(Rank::Wanted)), Some(Ok(Rank::Second)));
        assert_eq!(of(0, [wanted, wanted, wanted]).await, Ok(0));
        assert_eq!(of(2, [wanted, wanted, wanted]).await, Ok(2));
        assert_eq!(of(0, [Some(Err("a")), None, wanted]).await, Ok(2));
        assert_eq!(of(1, [second, second, Some(Err("c"))]).await, Ok(1));
        assert_eq!(of(1, [second, Some(Err("b")), wanted]).await, Ok(2));
        assert_eq!(of(0, [Some(Err("a")), Some(Err("b")), Some(Err("c"))]).await, Err(Some("c")));
        assert_eq!(race(0, 0, |_| async { Err::<((), Rank), _>(()) }).await, Err(None));
    }
}
