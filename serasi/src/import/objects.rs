//! Imports the objects of buckets. Each file is stored before its row.

use std::path::Path;

use anyhow::Context;
use indicatif::ProgressBar;
use sqlx::{AssertSqlSafe, PgConnection};
use storage_service::archive::Blobs;

use super::accounts::{has, lists};
use super::files::{self, Found, Object};
use super::platform::OBJECTS;

/// Objects per query.
const PAGE: i64 = 500;

/// Columns and their values, except those that depend on the file.
const COLUMNS: [(&str, &str); 6] = [
    ("owner", "nullif({column}, '')::uuid"),
    ("owner_id", "{column}"),
    ("created_at", "coalesce({column}::timestamptz, now())"),
    ("updated_at", "coalesce({column}::timestamptz, now())"),
    ("last_accessed_at", "coalesce({column}::timestamptz, now())"),
    ("user_metadata", "{column}::jsonb"),
];

#[derive(Default)]
pub struct Imported {
    pub objects: u64,
    pub bytes: u64,
    pub missing: Vec<String>,
    pub differing: Vec<String>,
}

pub struct Objects<'a> {
    pub connection: &'a mut PgConnection,
    /// The columns that the dump has.
    pub columns: &'a [String],
    pub folder: &'a Path,
    /// The image storage. `None`: the files are only checked.
    pub blobs: Option<&'a Blobs>,
    /// The versions of stored files, which are removed if the import fails.
    pub stored: &'a mut Vec<String>,
}

impl Objects<'_> {
    /// # Errors
    /// When a file can't be read or stored, or a row does not fit.
    pub async fn import(&mut self, bar: &ProgressBar) -> anyhow::Result<Imported> {
        let mut imported = Imported::default();
        let mut after = 0_i64;
        loop {
            let page = self.page(after).await?;
            if page.is_empty() {
                return Ok(imported);
            }
            after += PAGE;
            let (mut ids, mut versions, mut sizes, mut tags) =
                (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for object in page {
                bar.inc(1);
                let shown = || format!("{}/{}", object.bucket_id, object.name);
                match files::find(self.folder, &object)? {
                    Found::Missing => imported.missing.push(shown()),
                    Found::Differs => imported.differing.push(shown()),
                    Found::File(file) => {
                        self.store(&object.new_version, &file.path).await.with_context(shown)?;
                        versions.push(object.new_version);
                        ids.push(object.id);
                        sizes.push(i64::try_from(file.bytes)?);
                        imported.objects += 1;
                        imported.bytes += file.bytes;
                        tags.push(format!("\"{}\"", file.md5));
                    }
                }
            }
            self.insert(&ids, &versions, &sizes, &tags).await?;
        }
    }

    async fn page(&mut self, after: i64) -> anyhow::Result<Vec<Object>> {
        let metadata = if has(self.columns, "metadata") { "metadata::jsonb" } else { "'{}'::jsonb" };
        let version = if has(self.columns, "version") { "version" } else { "null" };
        let query = format!(
            "select id, bucket_id, name, {version}::text as version,
               gen_random_uuid()::text as new_version, ({metadata} ->> 'size')::bigint as size,
               btrim({metadata} ->> 'eTag', '\"') as etag
             from {OBJECTS} where import_number > $1 and import_number <= $1 + {PAGE} order by import_number"
        );
        let page = sqlx::query_as(AssertSqlSafe(query)).bind(after).fetch_all(&mut *self.connection).await;
        page.context("the objects of the dump can't be read")
    }

    async fn store(&mut self, version: &str, file: &Path) -> anyhow::Result<()> {
        let Some(blobs) = self.blobs else { return Ok(()) };
        self.stored.push(version.to_owned());
        blobs.copy(version, file).await.with_context(|| format!("{} can't be stored", file.display()))
    }

    async fn insert(
        &mut self,
        ids: &[String],
        versions: &[String],
        sizes: &[i64],
        tags: &[String],
    ) -> anyhow::Result<()> {
        let (names, values) = lists(&COLUMNS, self.columns);
        let metadata = if has(self.columns, "metadata") { "staged.metadata::jsonb" } else { "null" };
        let statement = format!(
            "insert into storage.objects (id, bucket_id, name, version, metadata{comma}{names})
             select staged.id::uuid, staged.bucket_id, staged.name, file.version,
               jsonb_build_object('eTag', file.tag, 'mimetype', 'application/octet-stream', 'cacheControl', 'no-cache')
                 || coalesce(case when jsonb_typeof({metadata}) = 'object' then {metadata} end, '{{}}')
                 || jsonb_build_object('size', file.size){comma}{values}
             from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as file (id, version, size, tag)
             join {} as staged on staged.id = file.id",
            OBJECTS,
            comma = if names.is_empty() { "" } else { ", " },
        );
        let rows = sqlx::query(AssertSqlSafe(statement)).bind(ids).bind(versions).bind(sizes).bind(tags);
        rows.execute(&mut *self.connection).await.context("the objects can't be imported")?;
        Ok(())
    }
}
