//! Objects of buckets: each with its file, which is stored before its row.

use std::path::Path;

use anyhow::Context;
use indicatif::ProgressBar;
use sqlx::{AssertSqlSafe, PgConnection};
use storage_service::archive::Blobs;

use super::files::{self, FileFound, Found, Object};
use super::schemas::Staged;

/// Objects per query.
const PAGE: i64 = 500;

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
    /// Where the files go. `None`: they are only checked.
    pub blobs: Option<&'a Blobs>,
    /// The versions of stored files, to remove them if the import fails.
    pub stored: &'a mut Vec<String>,
}

impl Objects<'_> {
    /// # Errors
    /// When a file can't be read or stored, or a row does not fit.
    pub async fn import(&mut self, bar: &ProgressBar) -> anyhow::Result<Imported> {
        let number = format!("alter table {} add column import_number bigserial", Staged::Objects.table());
        sqlx::raw_sql(AssertSqlSafe(number)).execute(&mut *self.connection).await?;
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
                        versions.push(self.store(&file).await.with_context(shown)?);
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
        let has = |column: &str| self.columns.iter().any(|name| name == column);
        let metadata = if has("metadata") { "metadata::jsonb" } else { "'{}'::jsonb" };
        let version = if has("version") { "version" } else { "null" };
        let query = format!(
            "select id, bucket_id, name, {version}::text as version, ({metadata} ->> 'size')::bigint as size,
               btrim({metadata} ->> 'eTag', '\"') as etag
             from {} where import_number > $1 and import_number <= $1 + {PAGE} order by import_number",
            Staged::Objects.table()
        );
        let page = sqlx::query_as(AssertSqlSafe(query)).bind(after).fetch_all(&mut *self.connection).await;
        page.context("the objects of the dump can't be read")
    }

    async fn store(&mut self, file: &FileFound) -> anyhow::Result<String> {
        let version: String =
            sqlx::query_scalar("select gen_random_uuid()::text").fetch_one(&mut *self.connection).await?;
        if let Some(blobs) = self.blobs {
            self.stored.push(version.clone());
            let copied = blobs.copy(&version, &file.path).await;
            copied.with_context(|| format!("{} can't be stored", file.path.display()))?;
        }
        Ok(version)
    }

    async fn insert(
        &mut self,
        ids: &[String],
        versions: &[String],
        sizes: &[i64],
        tags: &[String],
    ) -> anyhow::Result<()> {
        let columns = [
            ("owner", "nullif(staged.owner, '')::uuid"),
            ("owner_id", "staged.owner_id"),
            ("created_at", "coalesce(staged.created_at::timestamptz, now())"),
            ("updated_at", "coalesce(staged.updated_at::timestamptz, now())"),
            ("last_accessed_at", "coalesce(staged.last_accessed_at::timestamptz, now())"),
            ("user_metadata", "staged.user_metadata::jsonb"),
        ];
        let present = columns.iter().filter(|(column, _)| self.columns.iter().any(|name| name == column));
        let (names, values): (Vec<&str>, Vec<&str>) = present.copied().unzip();
        let metadata = if self.columns.iter().any(|name| name == "metadata") {
            "staged.metadata::jsonb"
        } else {
            "null"
        };
        let statement = format!(
            "insert into storage.objects (id, bucket_id, name, version, metadata{comma}{})
             select staged.id::uuid, staged.bucket_id, staged.name, file.version,
               jsonb_build_object('eTag', file.tag, 'mimetype', 'application/octet-stream', 'cacheControl', 'no-cache')
                 || coalesce(case when jsonb_typeof({metadata}) = 'object' then {metadata} end, '{{}}')
                 || jsonb_build_object('size', file.size){comma}{}
             from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as file (id, version, size, tag)
             join {} as staged on staged.id = file.id",
            names.join(", "),
            values.join(", "),
            Staged::Objects.table(),
            comma = if names.is_empty() { "" } else { ", " },
        );
        let rows = sqlx::query(AssertSqlSafe(statement)).bind(ids).bind(versions).bind(sizes).bind(tags);
        rows.execute(&mut *self.connection).await.context("the objects can't be imported")?;
        Ok(())
    }
}
