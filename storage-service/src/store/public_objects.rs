//! Looks up objects of public buckets. Requests that arrive while queries are running share the next one, so many readers take
//! few queries. Each request is answered by a query that began after it, so it sees every change committed before.

use std::collections::HashMap;
use std::sync::Arc;

use platform::database::Pool;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use tokio::sync::{Mutex, mpsc, oneshot};

use super::objects::Object;
use crate::error::{ApiError, Result};

/// Two, so that requests do not wait behind a query whose connection is broken.
const WORKERS: usize = 2;
/// The most lookups of one query.
const MOST: usize = 1000;

/// `None` means that there is no such public bucket, `Some(None)` that there is no such object in it.
type Found = Option<Option<Arc<Object>>>;

struct Lookup {
    /// Bucket and name.
    key: (String, String),
    answer: oneshot::Sender<Found>,
}

pub struct PublicObjects {
    pool: Pool,
    lookups: mpsc::Sender<Lookup>,
}

impl PublicObjects {
    /// Must be called inside a runtime.
    pub fn new(pool: Pool) -> Self {
        let (lookups, waiting) = mpsc::channel(MOST);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..WORKERS {
            tokio::spawn(answer(pool.clone(), Arc::clone(&waiting)));
        }
        Self { pool, lookups }
    }

    /// # Errors
    /// `NoSuchBucket` when there is no such public bucket, `NoSuchKey` when it has no such object.
    pub async fn find(&self, bucket: &str, name: &str) -> Result<Arc<Object>> {
        if bucket.contains('\0') || name.contains('\0') {
            // The database would refuse it, and everything else in the same query.
            return Err(ApiError::unstorable_character());
        }
        let (answer, found) = oneshot::channel();
        let key = (bucket.to_owned(), name.to_owned());
        self.lookups.send(Lookup { key, answer }).await.map_err(|error| ApiError::Internal(error.into()))?;
        let found = match found.await {
            Ok(found) => found,
            // The shared query failed, or this row can't be read. A query of its own has an error of its own.
            Err(_) => {
                let rows = query(&self.pool, vec![bucket.to_owned()], vec![name.to_owned()]).await?;
                rows.first().map(read).transpose()?.flatten()
            }
        };
        found.ok_or(ApiError::NoSuchBucket)?.ok_or(ApiError::NoSuchKey)
    }
}

/// Sends one query after the other. Lookups that can't be answered are dropped.
async fn answer(pool: Pool, waiting: Arc<Mutex<mpsc::Receiver<Lookup>>>) {
    let mut lookups = Vec::new();
    while waiting.lock().await.recv_many(&mut lookups, MOST).await > 0 {
        let mut answers: HashMap<_, Vec<_>> = HashMap::new();
        for lookup in lookups.drain(..) {
            answers.entry(lookup.key).or_default().push(lookup.answer);
        }
        let (keys, answers): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
        let (buckets, names) = keys.into_iter().unzip();
        let Ok(rows) = query(&pool, buckets, names).await else { continue };
        for (row, answers) in rows.iter().zip(answers) {
            let Ok(found) = read(row) else { continue };
            for answer in answers {
                let _ = answer.send(found.clone());
            }
        }
    }
}

/// Returns one row for each name, in their order.
async fn query(pool: &Pool, buckets: Vec<String>, names: Vec<String>) -> Result<Vec<PgRow>> {
    let sql = "select b.id is not null as is_public, o.id is not null as exists, o.*
         from unnest($1::text[], $2::text[]) with ordinality as wanted (bucket, name, n)
         left join storage.buckets b on b.id = wanted.bucket and b.public
         left join storage.objects o on o.bucket_id = b.id and o.name = wanted.name order by n";
    let query = sqlx::query(sql).bind(buckets).bind(names);
    Ok(query.fetch_all(&mut *pool.acquire().await?).await?)
}

fn read(row: &PgRow) -> sqlx::Result<Found> {
    let object = if row.try_get("exists")? { Some(Arc::new(Object::from_row(row)?)) } else { None };
    Ok(row.try_get::<bool, _>("is_public")?.then_some(object))
}
