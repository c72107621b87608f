//! The commands of the documents, so that tests can run them.

use anyhow::ensure;

/// The shell commands below a heading, one text per block, without the indentation of a list.
///
/// # Errors
/// When there are none.
pub fn blocks(page: &str, heading: &str) -> anyhow::Result<Vec<String>> {
    let (mut is_wanted, mut open, mut blocks) = (false, None::<String>, Vec::new());
    for line in page.lines() {
        let text = line.trim_start();
        match &mut open {
            None if line.starts_with('#') => is_wanted = line.trim_start_matches('#').trim() == heading,
            None if is_wanted && text == "```sh" => open = Some(String::new()),
            Some(_) if text == "```" => blocks.extend(open.take()),
            Some(block) => *block += &format!("{text}\n"),
            None => (),
        }
    }
    ensure!(!blocks.is_empty(), "the document has no commands below {heading:?}");
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::containers::backups;
    use crate::install;

    #[test]
    fn the_commands_below_a_heading_are_found() {
        let page = "# A\n```sh\nfirst\n```\n## B\ntext\n1. step\n\n   ```sh\n   second # not a heading\n   third\n   ```\n\
                    ```ini\nno=command\n```\n2. step\n```sh\n# not a heading\nfourth\n```\n### C\n```sh\nfifth\n```\n";
        assert_eq!(
            blocks(page, "B").unwrap(),
            ["second # not a heading\nthird\n", "# not a heading\nfourth\n"]
        );
        assert_eq!(blocks(page, "C").unwrap(), ["fifth\n"]);
        assert!(blocks(page, "D").is_err());
    }

    #[test]
    fn the_guide_has_the_steps_that_are_tested() {
        let page = include_str!("../../docs/install.md");
        assert_eq!(blocks(page, install::INSTALL).unwrap().len(), 4);
        for heading in
            [install::MONITOR, install::COMMANDS, install::ENCRYPT, install::UPGRADE, install::REMOVE]
        {
            assert_eq!(blocks(page, heading).unwrap().len(), 1, "{heading}");
        }
        let page = include_str!("../../docs/operate.md");
        for heading in [backups::COMPOSE, backups::CLUSTER, install::DRILL] {
            assert!(blocks(page, heading).is_ok(), "{heading}");
        }
    }
}
