//! The pictures that a page shows first. Naming them in the HTML lets the browser load them before any
//! script runs.

use std::borrow::Cow;
use std::fmt::Write;

use html_escape::encode_double_quoted_attribute;

use super::first_answers::FirstAnswer;

/// Matches `src/lib/images.ts`: our pictures are requested from the page's origin in the width they need.
const PUBLIC_OBJECT: &str = "/storage/v1/object/public/";
const PUBLIC_PICTURE: &str = "/storage/v1/render/image/public/";
const WIDTHS: [u16; 6] = [160, 320, 480, 640, 960, 1280];

/// From this width on, profiles use the full layout and lists have several columns.
const WIDE: &str = "(min-width: 1024px)";

/// A picture from the first row of the page's first response: the page, the column, the `sizes` of the page's `Picture`
/// component, and the `media` of the link.
type Shown = (&'static str, &'static str, &'static str, Option<&'static str>);

/// The pictures on the first screen of a phone, largest first.
const SHOWN: [Shown; 7] = [
    ("/search", "profile_image", PORTRAIT, None),
    ("/search/influencers", "profile_image", PORTRAIT, None),
    ("/explore", "profile_image", PORTRAIT, None),
    ("/search/agencies", "banner_url", "min(100vw, 320px)", None),
    ("/profile/:id", "cover_image", "min(100vw, 1280px)", Some(WIDE)),
    ("/profile/:id", "profile_image", "min(100vw, 224px)", Some(WIDE)),
    ("/agency/:id", "banner_url", "min(100vw, 1280px)", None),
];

/// On phones the portrait is next to the text.
const PORTRAIT: &str = "(max-width: 639px) 140px, 300px";

/// Placeholder for the first row's picture in the prerendered page.
const PLACE: &str = " data-picture=\"\">";

/// Preload links for the pictures. The first one has high priority.
pub fn preloads(page: &str, answers: &[FirstAnswer<'_>]) -> String {
    let mut html = String::new();
    for (number, (url, sizes, media)) in of_first_row(page, answers).into_iter().enumerate() {
        let media = media.map(|media| format!(" media=\"{media}\"")).unwrap_or_default();
        let priority = if number == 0 { " fetchpriority=\"high\"" } else { "" };
        let _ = write!(
            html,
            "  <link rel=\"preload\" as=\"image\"{media}{priority} href=\"{}\" imagesrcset=\"{}\" \
             imagesizes=\"{}\">\n  ",
            encode_double_quoted_attribute(&url),
            encode_double_quoted_attribute(&sources(&url)),
            sizes,
        );
    }
    html
}

/// The prerendered page with the first row's picture filled in, so that it shows before any script runs.
pub fn in_place<'page>(shell: &'page str, page: &str, answers: &[FirstAnswer<'_>]) -> Cow<'page, str> {
    let first = of_first_row(page, answers).into_iter().next();
    let Some((url, sizes, _)) = first.filter(|_| shell.contains(PLACE)) else { return shell.into() };
    let picture = format!(
        "{PLACE}<img alt=\"\" fetchpriority=\"high\" decoding=\"sync\" sizes=\"{sizes}\" srcset=\"{}\" src=\"{}\">",
        encode_double_quoted_attribute(&sources(&url)),
        encode_double_quoted_attribute(&url),
    );
    shell.replacen(PLACE, &picture, 1).into()
}

/// Our own pictures in the first row: their URLs, `sizes` and `media`.
fn of_first_row(
    page: &str,
    answers: &[FirstAnswer<'_>],
) -> Vec<(String, &'static str, Option<&'static str>)> {
    let Some(row) = answers.first().and_then(|answer| answer.rows().into_iter().next()) else {
        return Vec::new();
    };
    let of_page = SHOWN.iter().filter(|(shown_on, ..)| *shown_on == page);
    let found = of_page.filter_map(|(_, column, sizes, media)| {
        Some((own(row.get(*column)?.as_str()?)?.to_owned(), *sizes, *media))
    });
    found.collect()
}

/// Must be identical to the `srcset` of the page's `img`, or the browser would download two pictures.
fn sources(url: &str) -> String {
    let name = url.trim_start_matches(PUBLIC_OBJECT).split(['?', '#']).next().unwrap_or_default();
    WIDTHS.map(|width| format!("{PUBLIC_PICTURE}{name}?width={width}&format=webp {width}w")).join(", ")
}

/// External pictures are skipped, because the content security policy blocks them.
fn own(stored: &str) -> Option<&str> {
    stored.find(PUBLIC_OBJECT).map(|at| &stored[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pages;
    use crate::first_answers::{fetch, read};
    use crate::public_data::PublicData;

    async fn preloads_of(page: &str, rows: &'static str) -> String {
        with_answers(page, rows, |answers| preloads(page, answers)).await
    }

    async fn with_answers<T>(
        page: &str,
        rows: &'static str,
        then: impl FnOnce(&[FirstAnswer<'_>]) -> T,
    ) -> T {
        let list = format!(r#"{{"{page}": [{{"url": "/rest/v1/list", "headers": {{}}}}]}}"#);
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".vite")).unwrap();
        std::fs::write(folder.path().join(".vite/first-requests.json"), list).unwrap();
        let requests = read(&Pages::read(folder.path()).unwrap()).unwrap();
        let gateway = axum::Router::new().route("/list", axum::routing::get(move || async move { rows }));
        then(&fetch(&PublicData::new(gateway), &requests[page], None).await)
    }

    #[tokio::test]
    async fn the_first_picture_has_priority() {
        let rows = r#"[{"cover_image": "https://old.test/storage/v1/object/public/images/a.webp",
            "profile_image": "/storage/v1/object/public/images/b.webp?\"x"},
            {"cover_image": "/storage/v1/object/public/images/c.webp"}]"#;
        let html = preloads_of("/profile/:id", rows).await;
        let links: Vec<&str> = html.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(links.len(), 2, "{html}");
        assert!(links[0].starts_with(
            "<link rel=\"preload\" as=\"image\" media=\"(min-width: 1024px)\" fetchpriority=\"high\" \
             href=\"/storage/v1/object/public/images/a.webp\" \
             imagesrcset=\"/storage/v1/render/image/public/images/a.webp?width=160&amp;format=webp 160w, "
        ));
        assert!(links[0].ends_with("format=webp 1280w\" imagesizes=\"min(100vw, 1280px)\">"));
        assert!(links[1].starts_with(
            "<link rel=\"preload\" as=\"image\" media=\"(min-width: 1024px)\" href=\"/storage/v1/object/public/images/b.webp?&quot;x\" \
             imagesrcset=\"/storage/v1/render/image/public/images/b.webp?width=160&amp;"
        ));
    }

    #[tokio::test]
    async fn pictures_that_are_not_shown_are_not_preloaded() {
        let elsewhere = r#"[{"profile_image": "https://tracker.test/a.gif", "cover_image": null}]"#;
        assert_eq!(preloads_of("/search", elsewhere).await, "");
        assert_eq!(preloads_of("/profile/:id", elsewhere).await, "");
        let below = r#"[{"profile_image": "/storage/v1/object/public/images/a.webp"}]"#;
        assert_eq!(preloads_of("/", below).await, "");
    }

    #[tokio::test]
    async fn the_prerendered_page_contains_the_first_picture() {
        const SHELL: &str = r#"<i class="im" data-picture=""></i><i class="im" data-picture=""></i>"#;
        let in_shell = |page: &'static str, shell: &'static str, rows| {
            with_answers(page, rows, move |answers| in_place(shell, page, answers).into_owned())
        };
        let rows = r#"[{"profile_image": "/storage/v1/object/public/images/a.webp?\"x"}]"#;
        let html = in_shell("/search", SHELL, rows).await;
        assert!(html.starts_with(
            "<i class=\"im\" data-picture=\"\"><img alt=\"\" fetchpriority=\"high\" decoding=\"sync\" \
             sizes=\"(max-width: 639px) 140px, 300px\" \
             srcset=\"/storage/v1/render/image/public/images/a.webp?width=160&amp;format=webp 160w, "
        ));
        assert!(html.ends_with("a.webp?&quot;x\"></i><i class=\"im\" data-picture=\"\"></i>"), "{html}");

        let elsewhere = r#"[{"profile_image": "https://tracker.test/a.gif"}]"#;
        assert_eq!(in_shell("/search", SHELL, elsewhere).await, SHELL);
        assert_eq!(in_shell("/search", "<p></p>", rows).await, "<p></p>");
    }
}
