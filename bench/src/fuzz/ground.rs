//! The material for the generator: the schema, rows, accounts, links and files of the running server.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use anyhow::Context;
use image::codecs::png::PngEncoder;
use image::{Rgb, RgbImage};
use pictures::Format;
use pictures::transform::{Bounds, Target, transform};
use tokio_postgres::Client;

use super::people::Person;
use super::request::Caller;
use super::{Options, people};

#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    /// PostgreSQL's internal name: `int4`, `_text`.
    pub kind: String,
    /// Values that occur in rows.
    pub pool: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub schema: String,
    pub name: String,
    pub columns: Vec<Rc<Column>>,
    /// Embeddable tables, by table or constraint name.
    pub embeds: Vec<String>,
}

impl Table {
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known.name == column)
    }
}

#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    /// Name and type. An unnamed parameter takes the whole body.
    pub arguments: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
pub struct Picture {
    pub name: &'static str,
    pub mime_type: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Default)]
pub struct Ground {
    pub tables: Vec<Rc<Table>>,
    pub functions: Vec<Rc<Function>>,
    pub tokens: HashMap<Caller, String>,
    pub people: Vec<Person>,
    /// Generated accounts, which requests may change and delete.
    pub expendable_ids: Vec<String>,
    pub expendable_emails: Vec<String>,
    pub known_emails: Vec<String>,
    pub refresh_tokens: Vec<String>,
    pub token_hashes: Vec<String>,
    /// `bucket/key`
    pub objects: Vec<String>,
    /// Paths of signed URLs, starting at `/object/…`.
    pub signed: Vec<String>,
    pub pictures: Vec<Picture>,
    /// Secrets that no response may contain.
    pub secrets: Vec<Vec<u8>>,
}

const EXPENDABLE: i64 = 240;
const VALUES_PER_COLUMN: usize = 12;

/// A new table's rows: schema, table, column, type, and what it can embed. The product's tables are in `app`, its views
/// with the same names in `public`.
const COLUMNS: &str = "
    select n.nspname, c.relname, a.attname, t.typname
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid
    join pg_namespace as n on n.oid = c.relnamespace join pg_type as t on t.oid = a.atttypid
    where n.nspname in ('public', 'fuzz') and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
    order by n.nspname, c.relname, a.attnum";
const RELATIONSHIPS: &str = "
    select case n.nspname when 'app' then 'public' else n.nspname end, c.relname, r.relname, k.conname
    from pg_constraint as k join pg_class as c on c.oid = k.conrelid join pg_class as r on r.oid = k.confrelid
    join pg_namespace as n on n.oid = c.relnamespace
    where k.contype = 'f' and n.nspname in ('app', 'fuzz') order by 1, 2, 3, 4";
const FUNCTIONS: &str = "
    select p.proname, coalesce(p.proargnames[1:p.pronargs], '{}'),
      array(select t.typname::text from unnest(p.proargtypes) with ordinality as x (type, place)
            join pg_type as t on t.oid = x.type order by place)
    from pg_proc as p where p.pronamespace = 'fuzz'::regnamespace order by 1, 3";

impl Ground {
    /// Creates accounts and rows again, because earlier requests have used up or deleted them.
    ///
    /// # Errors
    /// When the server rejects a request that it has to accept.
    pub async fn prepare(options: &Options, database: &Client) -> anyhow::Result<Self> {
        replenish(database).await.context("generated rows")?;
        // Requests may have set limits on the run's own buckets.
        let buckets = "update storage.buckets set allowed_mime_types = null, file_size_limit = null where id like 'fuzz-%'";
        database.batch_execute(buckets).await.context("buckets")?;
        database.batch_execute(include_str!("schema.sql")).await.context("the run's own schema")?;
        let mut ground = Self { pictures: pictures()?, ..Self::default() };
        people::prepare(&mut ground, options).await.context("accounts")?;
        ground.read_catalog(database).await.context("the catalog")?;
        for secret in [&options.jwt_secret, &options.service_role_key] {
            ground.secrets.push(secret.clone().into_bytes());
        }
        Ok(ground)
    }

    pub fn person(&self, caller: Caller) -> Option<&Person> {
        self.people.iter().find(|person| person.caller == caller)
    }

    async fn read_catalog(&mut self, database: &Client) -> anyhow::Result<()> {
        let mut tables: BTreeMap<(String, String), (Vec<Column>, Vec<String>)> = BTreeMap::new();
        for row in database.query(COLUMNS, &[]).await? {
            let (columns, _) = tables.entry((row.try_get(0)?, row.try_get(1)?)).or_default();
            columns.push(Column { name: row.try_get(2)?, kind: row.try_get(3)?, pool: Vec::new() });
        }
        for row in database.query(RELATIONSHIPS, &[]).await? {
            let (schema, from): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let (to, constraint): (String, String) = (row.try_get(2)?, row.try_get(3)?);
            for (at, other) in [(&from, &to), (&to, &from)] {
                if let Some((_, embeds)) = tables.get_mut(&(schema.clone(), at.clone())) {
                    embeds.extend([other.clone(), format!("{other}!{constraint}")]);
                }
            }
        }
        for row in database.query(FUNCTIONS, &[]).await? {
            let (names, kinds): (Vec<String>, Vec<String>) = (row.try_get(1)?, row.try_get(2)?);
            let names = names.into_iter().chain(std::iter::repeat(String::new()));
            self.functions
                .push(Rc::new(Function { name: row.try_get(0)?, arguments: names.zip(kinds).collect() }));
        }
        for ((schema, name), (mut columns, embeds)) in tables {
            self.fill_pools((&schema, &name), &mut columns, database).await?;
            let columns = columns.into_iter().map(Rc::new).collect();
            self.tables.push(Rc::new(Table { schema, name, columns, embeds }));
        }
        Ok(())
    }

    async fn fill_pools(
        &self,
        (schema, name): (&str, &str),
        columns: &mut [Column],
        database: &Client,
    ) -> anyhow::Result<()> {
        let texts =
            columns.iter().map(|column| format!("left(\"{}\"::text, 80)", column.name.replace('"', "\"\"")));
        let texts = texts.collect::<Vec<_>>().join(", ");
        let statement =
            format!("select {texts} from \"{schema}\".\"{name}\" order by 1 limit {VALUES_PER_COLUMN}");
        for row in database.query(&statement, &[]).await? {
            for (at, column) in columns.iter_mut().enumerate() {
                column.pool.extend(row.try_get::<_, Option<String>>(at)?);
            }
        }
        // Writes by privileged callers affect no other account.
        let owner = if name == "profiles" { "id" } else { "user_id" };
        for column in columns.iter_mut().filter(|column| column.name == owner) {
            column.pool = self.expendable_ids.iter().take(VALUES_PER_COLUMN * 4).cloned().collect();
        }
        Ok(())
    }
}

/// Keeps the number of generated accounts with profiles at its initial value. Numbers continue after the highest one in
/// use, including in addresses that requests gave to other accounts.
async fn replenish(database: &Client) -> anyhow::Result<()> {
    let count = "select count(*) from auth.users where id::text like '5e7b%' and deleted_at is null";
    if database.query_one(count, &[]).await?.try_get::<_, i64>(0)? > EXPENDABLE / 2 {
        return Ok(());
    }
    database.batch_execute(db::BULK_SEED).await?;
    let more = "
        create or replace function pg_temp.fuzz_first(prefix text, kind text) returns bigint language sql stable as $$
          select coalesce(max(greatest(
            case when id::text like prefix || '%' then ('x' || right(id::text, 12))::bit(48)::bigint end,
            substring(email from '^' || kind || '([0-9]{1,12})@seed\\.serasi\\.test$')::bigint)), 0) + 1
          from auth.users
        $$;
        select pg_temp.seed_influencers(pg_temp.fuzz_first('5e7b0001', 'influencer'), 120);
        select pg_temp.seed_agencies(pg_temp.fuzz_first('5e7b0002', 'agency'), 60);
        select pg_temp.seed_vendors(pg_temp.fuzz_first('5e7b0003', 'vendor'), 60);
        select pg_temp.seed_gigs(1, 60);
        analyze";
    Ok(database.batch_execute(more).await?)
}

/// A small picture in every format.
///
/// # Errors
/// When one can't be encoded.
pub fn pictures() -> anyhow::Result<Vec<Picture>> {
    let picture = RgbImage::from_fn(24, 16, |x, y| Rgb([(x * 10) as u8, (y * 15) as u8, 90]));
    let mut png = Vec::new();
    picture.write_with_encoder(PngEncoder::new(&mut png))?;
    let formats = [
        ("a.png", Format::Png),
        ("a.jpg", Format::Jpeg),
        ("a.gif", Format::Gif),
        ("a.webp", Format::Webp),
        ("a.avif", Format::Avif),
    ];
    let encode = |(name, format): (&'static str, Format)| {
        let target = Target { bounds: Bounds::default(), quality: 80, format };
        let bytes = transform(&png, Format::Png, &[target])?.context("a still picture")?.swap_remove(0);
        Ok(Picture { name, mime_type: format.mime_type(), bytes })
    };
    formats.into_iter().map(encode).collect()
}
