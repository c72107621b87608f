//! A policy and its mutants.

use super::Mutant;
use super::sql_text::without_each_term;

/// A policy as stored in the catalog.
#[derive(Clone, sqlx::FromRow)]
pub(super) struct Policy {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) permissive: bool,
    /// `select`, `insert`, `update`, `delete` or `all`.
    pub(super) command: String,
    pub(super) roles: String,
    pub(super) using: Option<String>,
    pub(super) check: Option<String>,
}

impl Policy {
    pub(super) fn mutants(&self) -> Vec<Mutant> {
        let mut mutants = vec![self.mutant("dropped", self.drop())];
        let mut changed = |change: &str, policy: Self| {
            let batch_key = self.batch_key(change, mutants.len());
            let mutant = self.mutant(change, format!("{}; {}", self.drop(), policy.create()));
            mutants.push(Mutant { batch_key, ..mutant });
        };
        let truth = || Some("true".to_owned());
        let weak_using = self.using.as_ref().filter(|expression| *expression != "true");
        let weak_check = self.check.as_ref().filter(|expression| *expression != "true");

        if weak_using.is_some() {
            // Without WITH CHECK, the policy checks with USING. Keep that check.
            let check = self.check.clone().or_else(|| self.implied_check());
            changed("using true", Self { using: truth(), check, ..self.clone() });
        }
        if weak_check.is_some() {
            changed("check true", Self { check: truth(), ..self.clone() });
        }
        if weak_using.is_some() && (weak_check.is_some() || self.implied_check().is_some()) {
            changed("using and check true", Self { using: truth(), check: truth(), ..self.clone() });
        }
        if self.has_both() && self.using != self.check {
            changed(
                "using and check swapped",
                Self { using: self.check.clone(), check: self.using.clone(), ..self.clone() },
            );
        }
        if self.roles != "public" {
            changed("to public", Self { roles: "public".to_owned(), ..self.clone() });
        }
        if self.command != "all" {
            changed("for all commands", self.for_all_commands());
        }
        if !self.permissive {
            changed("permissive", Self { permissive: true, ..self.clone() });
        }
        for weakened in self.using.iter().flat_map(|expression| without_each_term(expression)) {
            let policy = Self { using: Some(weakened.text), ..self.clone() };
            changed(&format!("using without {}", weakened.without), policy);
        }
        for weakened in self.check.iter().flat_map(|expression| without_each_term(expression)) {
            let policy = Self { check: Some(weakened.text), ..self.clone() };
            changed(&format!("check without {}", weakened.without), policy);
        }
        mutants
    }

    /// Only these commands both select and write rows.
    fn has_both(&self) -> bool {
        matches!(self.command.as_str(), "update" | "all")
    }

    fn implied_check(&self) -> Option<String> {
        if self.has_both() && self.check.is_none() { self.using.clone() } else { None }
    }

    /// Extends the permission for one command to all commands.
    fn for_all_commands(&self) -> Self {
        let either = || self.using.clone().or_else(|| self.check.clone());
        Self {
            command: "all".to_owned(),
            using: either(),
            check: self.check.clone().or_else(either),
            ..self.clone()
        }
    }

    fn mutant(&self, change: &str, sql: String) -> Mutant {
        Mutant {
            group: "policies",
            subject: self.table.clone(),
            name: format!("policy \"{}\" on {}: {change}", self.name, self.table),
            sql,
            batch_key: None,
        }
    }

    /// Key for changes that the same tests detect, or `None`. Two changes of one policy get different keys,
    /// because the second would undo the first.
    fn batch_key(&self, change: &str, number: usize) -> Option<String> {
        let batch_key = match change {
            "to public" | "for all commands" => change.to_owned(),
            // The columns that a check mentions are rarely granted for writing.
            _ if self.command == "update" && change.starts_with("check") => format!("check {number}"),
            _ => return None,
        };
        Some(format!("{} to {}: {batch_key}", self.command, self.roles))
    }

    fn drop(&self) -> String {
        format!("drop policy {} on {}", quoted(&self.name), self.table)
    }

    fn create(&self) -> String {
        let clause = |word: &str, expression: &Option<String>| {
            expression.as_ref().map(|expression| format!(" {word} ({expression})")).unwrap_or_default()
        };
        format!(
            "create policy {} on {} as {} for {} to {}{}{}",
            quoted(&self.name),
            self.table,
            if self.permissive { "permissive" } else { "restrictive" },
            self.command,
            self.roles,
            clause("using", &self.using),
            clause("with check", &self.check),
        )
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(command: &str, using: Option<&str>, check: Option<&str>) -> Policy {
        Policy {
            table: "app.gigs".to_owned(),
            name: "mine".to_owned(),
            permissive: true,
            command: command.to_owned(),
            roles: "authenticated".to_owned(),
            using: using.map(str::to_owned),
            check: check.map(str::to_owned),
        }
    }

    fn changes(policy: &Policy) -> Vec<String> {
        let name = |mutant: Mutant| mutant.name.rsplit(": ").next().unwrap_or_default().to_owned();
        policy.mutants().into_iter().map(name).collect()
    }

    #[test]
    fn mutants_of_a_select_policy() {
        assert_eq!(
            changes(&policy("select", Some("(a AND b)"), None)),
            ["dropped", "using true", "to public", "for all commands", "using without a", "using without b"]
        );
    }

    #[test]
    fn using_and_check_are_swapped_only_if_they_differ() {
        assert_eq!(
            changes(&policy("update", Some("a"), Some("b"))),
            [
                "dropped",
                "using true",
                "check true",
                "using and check true",
                "using and check swapped",
                "to public",
                "for all commands"
            ]
        );
        assert!(
            !changes(&policy("update", Some("a"), Some("a"))).contains(&"using and check swapped".to_owned())
        );
    }

    #[test]
    fn a_true_expression_is_not_mutated_to_true() {
        assert_eq!(changes(&policy("all", Some("true"), Some("true"))), ["dropped", "to public"]);
    }

    #[test]
    fn replacing_using_keeps_the_implied_check() {
        let mutants = policy("update", Some("a"), None).mutants();
        let weakened = mutants.iter().find(|mutant| mutant.name.ends_with(": using true"));
        assert!(weakened.is_some_and(|mutant| mutant.sql.ends_with("using (true) with check (a)")));
    }

    #[test]
    fn changes_of_one_policy_have_different_batch_keys() {
        let mutants = policy("update", Some("(a AND b)"), Some("(a AND b)")).mutants();
        let mut batch_key: Vec<_> = mutants.iter().filter_map(|mutant| mutant.batch_key.clone()).collect();
        assert_eq!(batch_key.len(), 5);
        batch_key.sort();
        batch_key.dedup();
        assert_eq!(batch_key.len(), 5);
    }

    #[test]
    fn names_are_quoted() {
        let mutants = Policy { name: "the \"best\"".to_owned(), ..policy("select", None, None) }.mutants();
        assert_eq!(mutants[0].sql, "drop policy \"the \"\"best\"\"\" on app.gigs");
    }
}
