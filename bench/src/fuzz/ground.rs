//! The material for the generator: the schema, rows, accounts, links and files of the running server.

use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;
use std::rc::Rc;

use anyhow::Context;
use image::{ImageFormat, Rgb, RgbImage};
use tokio_postgres::Client;

use super::people;
use super::people::Person;
use super::request::Caller;
use crate::product::Product;

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
    pub name: String,
    pub mime_type: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Default)]
pub struct Ground {
    pub tables: Vec<Table>,
    pub functions: Vec<Function>,
    pub tokens: HashMap<Caller, String>,
    pub people: Vec<Person>,
    /// What `$names` stand for: ids and addresses of accounts that requests may change and delete, links, objects
    /// (`bucket/key`), and paths of signed URLs.
    pub pools: BTreeMap<&'static str, Vec<String>>,
    pub pictures: Vec<Picture>,
    /// Secrets that no response may contain.
    pub secrets: Vec<Vec<u8>>,
}

/// Accounts and rows that requests may change and delete.
const EXPENDABLE: &str = "
    select pg_temp.seed_influencers(1, 120), pg_temp.seed_agencies(1, 60), pg_temp.seed_vendors(1, 60);
    select pg_temp.seed_gigs(1, 60);
    analyze";
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
    /// Creates accounts and rows.
    ///
    /// # Errors
    /// When the server rejects a request that it has to accept.
    pub async fn prepare(product: &Product, database: &Client) -> anyhow::Result<Self> {
        database.batch_execute(db::BULK_SEED).await.context("generated rows")?;
        database.batch_execute(EXPENDABLE).await.context("generated rows")?;
        database.batch_execute(include_str!("schema.sql")).await.context("the run's own schema")?;
        let mut ground = Self { pictures: pictures()?, ..Self::default() };
        people::prepare(&mut ground, product).await.context("accounts")?;
        ground.read_catalog(database).await.context("the catalog")?;
        // The rows of the run's own tables that requests may delete.
        (10..60).for_each(|row| ground.add("expendable_row", row.to_string()));
        for secret in [&product.jwt_secret, &product.service_role_key] {
            ground.secrets.push(secret.clone().into_bytes());
        }
        Ok(ground)
    }

    pub fn add(&mut self, pool: &'static str, value: impl Into<String>) {
        self.pools.entry(pool).or_default().push(value.into());
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
            self.functions.push(Function { name: row.try_get(0)?, arguments: names.zip(kinds).collect() });
        }
        for ((schema, name), (mut columns, embeds)) in tables {
            self.fill_pools((&schema, &name), &mut columns, database).await?;
            let columns = columns.into_iter().map(Rc::new).collect();
            self.tables.push(Table { schema, name, columns, embeds });
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
            column.pool = self.pools["id"].iter().take(VALUES_PER_COLUMN * 4).cloned().collect();
        }
        Ok(())
    }
}

/// A small picture in every format.
fn pictures() -> anyhow::Result<Vec<Picture>> {
    let picture = RgbImage::from_fn(24, 16, |x, y| Rgb([(x * 10) as u8, (y * 15) as u8, 90]));
    let formats =
        [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP, ImageFormat::Avif];
    let encode = |format: ImageFormat| {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format)?;
        let name = format!("a.{}", format.extensions_str().first().context("an extension")?);
        Ok(Picture { name, mime_type: format.to_mime_type(), bytes: bytes.into_inner() })
    };
    formats.into_iter().map(encode).collect()
}
