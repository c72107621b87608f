//! Looks up objects of public buckets. Requests that arrive while a query is running share the next one, so many readers take
//! few queries. Each request is answered by a query that began after it, so it sees every change committed before.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use platform::database::Pool;
use platform::http::request_id::inherited;
use sqlx::{FromRow, Row};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::objects::Object;
use crate::error::{ApiError, Result};

/// After this time, the next query no longer waits for the running one, whose connection may be broken.
const PATIENCE: Duration = Duration::from_millis(50);

/// `Err` means that there is no such public bucket, `Ok(None)` that there is no such object in it.
type Answer = Result<Option<Arc<Object>>>;
type Waiting = HashMap<(String, String), Vec<oneshot::Sender<Answer>>>;

#[derive(Clone)]
pub struct PublicObjects {
    pool: Pool,
    next: Arc<Mutex<Next>>,
}

/// The next query.
#[derive(Default)]
struct Next {
    /// By bucket and key.
    waiting: Waiting,
    /// Whether a task will send it.
    has_sender: bool,
}

impl PublicObjects {
    pub fn new(pool: Pool) -> Self {
        Self { pool, next: Arc::default() }
    }

    /// # Errors
    /// [`ApiError::NoSuchBucket`] when there is no such public bucket.
    pub async fn find(&self, bucket: &str, name: &str) -> Answer {
        if bucket.contains('\0') || name.contains('\0') {
            // The database would refuse it, and everything else in the same query.
            return Err(ApiError::unstorable_character());
        }
        let (answer, mut answered) = oneshot::channel();
        let needs_sender = {
            let mut next = self.next();
            next.waiting.entry((bucket.to_owned(), name.to_owned())).or_default().push(answer);
            !std::mem::replace(&mut next.has_sender, true)
        };
        if needs_sender {
            tokio::spawn(inherited(self.clone().send()));
        }
        let answered = match timeout(PATIENCE, &mut answered).await {
            Ok(answered) => answered,
            Err(_) => {
                tokio::spawn(inherited(self.clone().send()));
                answered.await
            }
        };
        answered.map_err(|error| ApiError::Internal(error.into()))?
    }

    fn next(&self) -> MutexGuard<'_, Next> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends one query after the other, until no request waits.
    async fn send(self) {
        loop {
            let waiting = {
                let mut next = self.next();
                let waiting = std::mem::take(&mut next.waiting);
                next.has_sender = !waiting.is_empty();
                waiting
            };
            if waiting.is_empty() {
                return;
            }
            let (keys, waiting): (Vec<_>, Vec<_>) = waiting.into_iter().unzip();
            match self.query(keys).await {
                Ok(mut found) => {
                    for (index, senders) in waiting.into_iter().enumerate() {
                        let object = found.remove(&index);
                        for sender in senders {
                            let _ = sender.send(object.clone().ok_or(ApiError::NoSuchBucket));
                        }
                    }
                }
                Err(error) => {
                    let error = Arc::new(error);
                    for sender in waiting.into_iter().flatten() {
                        let _ = sender.send(Err(ApiError::Shared(Arc::clone(&error))));
                    }
                }
            }
        }
    }

    /// Returns the objects by the index of their key. A key of another bucket is missing.
    async fn query(&self, keys: Vec<(String, String)>) -> Result<HashMap<usize, Option<Arc<Object>>>> {
        let (buckets, names): (Vec<_>, Vec<_>) = keys.into_iter().unzip();
        let rows = sqlx::query(
            "select wanted.n - 1 as index, o.id is not null as found, o.*
             from unnest($1::text[], $2::text[]) with ordinality as wanted (bucket, name, n)
             join storage.buckets b on b.id = wanted.bucket and b.public
             left join storage.objects o on o.bucket_id = b.id and o.name = wanted.name",
        )
        .bind(buckets)
        .bind(names)
        .fetch_all(&mut *self.pool.acquire().await?)
        .await?;
        let mut found = HashMap::with_capacity(rows.len());
        for row in rows {
            let object = if row.try_get("found")? { Some(Arc::new(Object::from_row(&row)?)) } else { None };
            found.insert(usize::try_from(row.try_get::<i64, _>("index")?).unwrap_or(usize::MAX), object);
        }
        Ok(found)
    }
}
