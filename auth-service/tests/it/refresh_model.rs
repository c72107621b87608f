//! Tests token refresh against a model: any order of refreshes, lost answers, delays, and replays, and
//! database connections that drop in between.

use std::time::Duration;

use chrono::TimeDelta;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::support::{Auth, session};
use test_support::client::Answer;
use test_support::waiting::eventually;

const REUSE_INTERVAL_SECONDS: i64 = 10;

#[derive(Debug, Clone)]
enum Step {
    /// Presents the token of this generation, counted back from the newest.
    Present {
        back: usize,
    },
    /// Presents the same token several times at once.
    PresentTogether {
        back: usize,
        times: usize,
    },
    /// The database drops all connections this long after the token is presented. The client retries, as
    /// clients do.
    PresentToDying {
        back: usize,
        after_micros: u64,
    },
    Wait {
        seconds: i64,
    },
}

/// The model of a session: its tokens in order, when each was used, and whether the family is still valid.
struct Model {
    tokens: Vec<(String, Option<i64>)>,
    now: i64,
    alive: bool,
}

impl Model {
    /// The generation that the service must return, or `None` if it must refuse.
    fn present(&mut self, generation: usize) -> Option<usize> {
        let newest = self.tokens.len() - 1;
        if !self.alive {
            return None;
        }
        let Some(used_at) = self.tokens[generation].1 else {
            self.tokens[generation].1 = Some(self.now);
            return Some(newest + 1);
        };
        if generation + 1 == newest || self.now - used_at <= REUSE_INTERVAL_SECONDS {
            return Some(newest);
        }
        self.alive = false;
        None
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => Just(Step::Present { back: 0 }),
        3 => (0_usize..5).prop_map(|back| Step::Present { back }),
        1 => (0_usize..3, prop_oneof![2_usize..6, Just(20)])
            .prop_map(|(back, times)| Step::PresentTogether { back, times }),
        1 => (0_usize..3, 0_u64..12_000)
            .prop_map(|(back, after_micros)| Step::PresentToDying { back, after_micros }),
        2 => prop_oneof![Just(1_i64), Just(10), Just(11), Just(3600)].prop_map(|seconds| Step::Wait { seconds }),
    ];
    prop::collection::vec(step, 1..14)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_history_matches_the_model() {
    let auth = Auth::start().await;
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner =
            TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&steps(), |steps| handle.block_on(replay(&auth, &steps)));
        outcome.unwrap();
    });
}

async fn replay(auth: &Auth, steps: &[Step]) -> Result<(), TestCaseError> {
    let first = auth.influencer(&format!("{}@demo.serasi.test", platform::random::token(12))).await;
    let mut model = Model { tokens: vec![(first.refresh_token, None)], now: 0, alive: true };
    for step in steps {
        match *step {
            Step::Wait { seconds } => {
                auth.clock.advance(TimeDelta::seconds(seconds));
                model.now += seconds;
            }
            Step::Present { back } => present(auth, &mut model, back, 1).await?,
            Step::PresentTogether { back, times } => present(auth, &mut model, back, times).await?,
            Step::PresentToDying { back, after_micros } => {
                let token = present_to_dying(auth, &model, back, Duration::from_micros(after_micros)).await;
                // Whether or not the first attempt took effect, the retry gets the same answer.
                present(auth, &mut model, back, 1).await?;
                if let Some(token) = token {
                    prop_assert!(model.tokens.last().is_some_and(|(newest, _)| *newest == token));
                }
            }
        }
    }
    Ok(())
}

/// The token from the answer, if the answer came in time.
async fn present_to_dying(auth: &Auth, model: &Model, back: usize, after: Duration) -> Option<String> {
    let (token, _) = &model.tokens[(model.tokens.len() - 1).saturating_sub(back)];
    let killed = async {
        tokio::time::sleep(after).await;
        let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                     where datname = current_database() and usename = 'auth_admin'";
        // Repeated, because a backend counts as connected until it has really ended.
        eventually("no connection is left", async || auth.count(kill).await == 0).await;
    };
    let (answer, ()) = tokio::join!(auth.refresh(token), killed);
    (answer.status == 200).then(|| session(&answer).refresh_token)
}

/// As a client does: on a busy machine, the service may take a moment to notice that it can connect again.
async fn when_reachable(auth: &Auth, token: &str) -> Answer {
    let mut answer = auth.refresh(token).await;
    eventually("the service can connect", async || {
        if answer.status == 503 {
            answer = auth.refresh(token).await;
        }
        answer.status != 503
    })
    .await;
    answer
}

async fn present(auth: &Auth, model: &mut Model, back: usize, times: usize) -> Result<(), TestCaseError> {
    let generation = (model.tokens.len() - 1).saturating_sub(back);
    let token = model.tokens[generation].0.clone();
    let answers = futures::future::join_all((0..times).map(|_| when_reachable(auth, &token))).await;
    for answer in answers {
        let newest = model.tokens.len() - 1;
        match model.present(generation) {
            None => prop_assert_eq!(&answer.json()["error_code"], "refresh_token_already_used"),
            Some(expected) => {
                prop_assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
                let given = session(&answer).refresh_token;
                if expected > newest {
                    prop_assert!(model.tokens.iter().all(|(token, _)| *token != given), "a fresh token");
                    model.tokens.push((given, None));
                } else {
                    prop_assert_eq!(&given, &model.tokens[expected].0);
                }
            }
        }
    }
    Ok(())
}
