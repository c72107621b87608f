//! Stores the files of the objects, before their rows.

use std::path::Path;

use anyhow::{Context, bail};
use sqlx::PgConnection;

use super::Job;
use super::files::{self, Found, Object};

const NEXT: &str = "
select number, bucket_id, name, version, gen_random_uuid()::text as new_version, (metadata ->> 'size')::bigint as size,
  btrim(metadata ->> 'eTag', '\"') as etag
from import_staging.objects where number > $1 order by number limit 500";

const FOUND: &str = "
update import_staging.objects set version = $2,
  metadata = jsonb_build_object('eTag', $4::text, 'mimetype', 'application/octet-stream', 'cacheControl', 'no-cache')
    || coalesce(case when jsonb_typeof(metadata) = 'object' then metadata end, '{}') || jsonb_build_object('size', $3::bigint)
where number = $1";

const LEFT_OUT: &str = "delete from import_staging.objects where number = $1";

impl Job<'_> {
    /// Without `--apply`, the files are only checked. Objects without a file are removed from the staged ones.
    ///
    /// # Errors
    /// When a file can't be read or stored, or when one is missing.
    pub async fn store_files(&mut self, connection: &mut PgConnection) -> anyhow::Result<()> {
        let options = self.options;
        let Some(folder) = &options.storage else {
            let left_out = sqlx::query("delete from import_staging.objects").execute(connection).await?;
            self.report.without_files = left_out.rows_affected();
            return Ok(());
        };
        let total = "select count(*) from import_staging.objects";
        let total: i64 = sqlx::query_scalar(total).fetch_one(&mut *connection).await?;
        let bar = self.progress.bar("Importing files", u64::try_from(total)?);
        let mut last = 0;
        loop {
            let page = sqlx::query_as(NEXT).bind(last).fetch_all(&mut *connection).await;
            let page: Vec<Object> = page.context("the objects of the dump can't be read")?;
            let Some(end) = page.last() else { break };
            last = end.number;
            for object in page {
                self.store_file(connection, folder, &object).await?;
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        let lost: Vec<&String> = self.report.missing.iter().chain(&self.report.differing).collect();
        if let Some(first) = lost.first()
            && options.apply
            && !options.skip_missing_files
        {
            bail!(
                "{} objects have no file in {}, or one that differs from its row, such as {first}: run the command without \
                 --apply to list them, or with --skip-missing-files to leave them out",
                lost.len(),
                folder.display()
            );
        }
        Ok(())
    }

    async fn store_file(
        &mut self,
        connection: &mut PgConnection,
        folder: &Path,
        object: &Object,
    ) -> anyhow::Result<()> {
        let Object { number, bucket_id, name, new_version, .. } = object;
        let (path, bytes, md5) = match files::find(folder, object)? {
            Found::File(path, bytes, md5) => (path, bytes, md5),
            lost => {
                let report = &mut self.report;
                let list =
                    if matches!(lost, Found::Missing) { &mut report.missing } else { &mut report.differing };
                list.push(format!("{bucket_id}/{name}"));
                sqlx::query(LEFT_OUT).bind(number).execute(connection).await?;
                return Ok(());
            }
        };
        if let Some(blobs) = &self.blobs {
            self.added.files.push(new_version.clone());
            let copied = blobs.copy(new_version, &path).await;
            copied.with_context(|| format!("{bucket_id}/{name}: {} can't be stored", path.display()))?;
        }
        self.report.bytes += bytes;
        let row = sqlx::query(FOUND).bind(number).bind(new_version).bind(i64::try_from(bytes)?);
        row.bind(format!("\"{md5}\"")).execute(connection).await?;
        Ok(())
    }
}
