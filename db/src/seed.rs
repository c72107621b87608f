//! Data for demonstrations (demo) and for measurements (bulk).

use include_dir::{Dir, include_dir};

/// One script with the demo accounts, profiles and gigs, and their activity. For an empty, migrated database,
/// as a superuser.
pub const DEMO_SEED: &str =
    concat!(include_str!("../seed/demo.sql"), include_str!("../seed/demo_marketplace.sql"));

/// Creates temporary functions on the connection it runs on; `README.md` says how to call them in chunks.
pub const BULK_SEED: &str =
    concat!(include_str!("../seed/bulk.sql"), include_str!("../seed/bulk_marketplace.sql"));

static IMAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/seed/images");

/// The demo pictures with the names of their objects in the bucket `images`: `demo/portraits/aisyah.webp`.
pub fn demo_images() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    IMAGES
        .dirs()
        .flat_map(Dir::dirs)
        .flat_map(Dir::files)
        .filter_map(|file| Some((file.path().to_str()?, file.contents())))
}
