//! A page reads as many rows as it has entries, however many objects the folder has.

use test_support::database::TestDatabase;

use super::*;

/// 10,000 objects in the folder `one`, and 2,000 folders with 5 objects each in the folder `many`. Another bucket has as many.
const OBJECTS: &str = "
    insert into storage.buckets (id, name) values ('papers', 'papers'), ('other', 'other');
    insert into storage.objects (bucket_id, name, created_at, updated_at)
    select bucket, folder || n || '.txt', timestamptz '2026-05-04Z' - n * interval '1 s', timestamptz '2026-05-04Z' - n * 7 % 10000 * interval '1 s'
    from unnest(array['papers', 'other']) as bucket, generate_series(1, 10000) as n,
      lateral (values ('one/'), ('many/' || n % 2000 || '/')) as folders (folder);
    analyze storage.objects;";
const LIMIT: i64 = 100;

struct Rows {
    database: TestDatabase,
}

impl Rows {
    async fn new() -> Self {
        let database = TestDatabase::new().await;
        sqlx::raw_sql(OBJECTS).execute(&database.owner_pool().await).await.unwrap();
        Self { database }
    }

    /// The number of rows of `storage.objects` that the listing read, and how many of them by a sequential scan.
    async fn read_by(&self, listing: Listing<'_>) -> (usize, i64, i64) {
        let pool = self.database.service_pool("storage_admin").await;
        let mut transaction = pool.begin().await.unwrap();
        let found = match listing {
            Listing::Level(query) => level(&mut transaction, &query).await.unwrap(),
            Listing::Page(query) => page(&mut transaction, &query).await.unwrap(),
        };
        let (by_index, in_sequence) = sqlx::query_as::<_, (i64, i64)>(
            "select (select sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint from pg_index where indrelid = 'storage.objects'::regclass),
                    pg_stat_get_xact_tuples_returned('storage.objects'::regclass)",
        )
        .fetch_one(&mut *transaction)
        .await
        .unwrap();
        (found.len(), by_index, in_sequence)
    }
}

enum Listing<'a> {
    Level(FolderQuery<'a>),
    Page(Page<'a>),
}

const ORDERS: [Direction; 2] = [Direction::Asc, Direction::Desc];
const COLUMNS_WITH_INDEX: [SortColumn; 3] = [SortColumn::Name, SortColumn::CreatedAt, SortColumn::UpdatedAt];

fn sorts() -> impl Iterator<Item = Sort> {
    COLUMNS_WITH_INDEX.into_iter().flat_map(|column| ORDERS.map(|direction| Sort { column, direction }))
}

#[tokio::test]
async fn a_level_reads_no_more_than_its_page_and_what_precedes_it() {
    let rows = Rows::new().await;
    for (prefix, sort) in
        ["one/", "many/"].into_iter().flat_map(|prefix| sorts().map(move |sort| (prefix, sort)))
    {
        for offset in [0, 300] {
            let query = FolderQuery { bucket: "papers", prefix, search: "", sort, limit: LIMIT, offset };
            let (found, read, in_sequence) = rows.read_by(Listing::Level(query)).await;
            assert_eq!((found, in_sequence), (100, 0), "{prefix} {sort:?}");
            // The page's own rows are looked up once more.
            assert!(read <= offset + 2 * LIMIT + 10, "{prefix} {sort:?} at {offset}: {read} rows");
        }
    }
    let sort = Sort::default();
    let query = FolderQuery { bucket: "papers", prefix: "one/", search: "77", sort, limit: LIMIT, offset: 0 };
    let (found, read, _) = rows.read_by(Listing::Level(query)).await;
    assert!(found == 100 && read <= 2 * LIMIT + 10, "a search: {read} rows");
}

#[tokio::test]
async fn a_page_reads_no_more_than_its_entries_wherever_it_begins() {
    let rows = Rows::new().await;
    for (prefix, folders) in [("one/", false), ("one/", true), ("many/", true), ("", false), ("many/1", true)]
    {
        for sort in sorts() {
            let mut after = None;
            for number in 0..3 {
                let query =
                    Page { bucket: "papers", prefix, folders, sort, after: after.as_ref(), limit: LIMIT };
                let (found, read, in_sequence) = rows.read_by(Listing::Page(query)).await;
                assert_eq!((found, in_sequence), (100, 0), "{prefix} {sort:?}");
                // The indexes by time do not support a prefix within a folder. Half of the bucket's objects
                // have this one.
                let share =
                    if prefix == "one/" && !folders && sort.column != SortColumn::Name { 2 } else { 1 };
                assert!(
                    read <= share * LIMIT + 10,
                    "{prefix} {folders} {sort:?}, page {number}: {read} rows"
                );
                after = Some(middle(prefix, folders, sort));
            }
        }
    }
}

/// A cursor in the middle of the objects or folders.
fn middle(prefix: &str, folders: bool, sort: Sort) -> Cursor {
    let name = match prefix {
        "many/" if folders => "many/1500/",
        "many/1" => "many/1500/",
        _ => "one/5000.txt",
    };
    let at = (sort.column != SortColumn::Name && !name.ends_with('/'))
        .then(|| ("2026-05-03T22:36:40Z".parse().unwrap(), Uuid::nil()));
    Cursor { column: sort.column, direction: sort.direction, name: name.to_owned(), at }
}
