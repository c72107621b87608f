//! Tells in the dump of a backup what belongs to this product: the schema `public` has objects of both.

use super::classify::{Action, Destination, Rows};
use super::schemas::{OUR_OWNER, Origin, Place};
use super::split::Entry;

/// Leaves out what belongs to this product, because a restore creates it by itself. Policies and triggers on its tables are
/// told apart later, when the whole dump is known.
pub fn without(entry: Option<&Entry>, action: Action) -> Action {
    let Some(entry) = entry else { return action };
    let is_shared = entry.schema == "public" || Origin::Backup.place(&entry.schema) != Place::Own;
    let is_of_database = entry.schema == "-";
    if entry.owner != OUR_OWNER || !(is_shared || is_of_database) {
        return match action {
            // Migrations set those of the whole database.
            Action::LeaveOut { kind: "default privileges", .. } if is_of_database => Action::Nothing,
            action => action,
        };
    }
    match action {
        Action::OnOurTable { .. } | Action::Marked(..) | Action::Exposed(_) | Action::Refuse(_) => action,
        Action::Run { creates: Some(name) } => Action::Ours(name),
        Action::Rows(rows) => Action::Rows(Rows { to: Destination::Nowhere, ..rows }),
        _ => Action::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::classify::classify;
    use crate::import::tokens::Name;

    fn of(comment: &str, sql: &str) -> Action {
        without(Entry::parse(comment).as_ref(), classify(sql, Origin::Backup))
    }

    #[test]
    fn objects_of_this_product_are_told_from_those_of_the_operator() {
        let function = "CREATE FUNCTION public.f(a integer) RETURNS integer LANGUAGE sql AS $$ select a $$";
        let name = || Name { schema: "public".into(), name: "f".into() };
        for (owner, expected) in [
            ("serasi_owner", Action::Ours(name())),
            ("import_owner", Action::Run { creates: Some(name()) }),
            ("postgres", Action::Run { creates: Some(name()) }),
        ] {
            let comment = format!(" Name: f(integer); Type: FUNCTION; Schema: public; Owner: {owner}");
            assert_eq!(of(&comment, function), expected, "{owner}");
        }
        let acl = " Name: FUNCTION f(a integer); Type: ACL; Schema: public; Owner: serasi_owner";
        assert_eq!(of(acl, "GRANT ALL ON FUNCTION public.f(a integer) TO anon"), Action::Nothing);
        assert!(matches!(of(acl, "DO $$ begin end $$"), Action::Refuse(_)));
        let mine = " Name: t; Type: TABLE; Schema: shop; Owner: serasi_owner";
        assert!(matches!(of(mine, "CREATE TABLE shop.t (id integer)"), Action::Run { .. }));
    }

    #[test]
    fn policies_and_triggers_on_tables_of_this_product_are_kept() {
        let policy = " Name: objects; a; Owner: me; Type: POLICY; Schema: storage; Owner: serasi_owner";
        assert!(matches!(
            of(policy, "CREATE POLICY a ON storage.objects USING (true)"),
            Action::OnOurTable { .. }
        ));
        let marked = of(policy, "COMMENT ON POLICY a ON storage.objects IS 'imported by serasi'");
        let objects = Name { schema: "storage".into(), name: "objects".into() };
        assert_eq!(marked, Action::Marked(objects, "a".into()));
        assert_eq!(of(policy, "COMMENT ON POLICY a ON storage.objects IS 'mine'"), Action::Nothing);
        assert_eq!(of(policy, "CREATE POLICY a ON auth.users USING (true)"), Action::Nothing);
        let data = " Data for Name: t; Type: TABLE DATA; Schema: public; Owner: serasi_owner; Tablespace: x";
        let Action::Rows(rows) = of(data, "COPY public.t (id) FROM stdin") else { panic!("no rows") };
        assert_eq!(rows.to, Destination::Nowhere);
    }

    #[test]
    fn what_a_backup_has_and_a_project_has_not() {
        for (sql, expected) in [
            (
                "CREATE SCHEMA realtime",
                Action::Run { creates: Some(Name { schema: "realtime".into(), name: String::new() }) },
            ),
            ("CREATE SCHEMA app", Action::Nothing),
            ("CREATE TABLE auth.users (id uuid)", Action::Nothing),
            (
                "CREATE EVENT TRIGGER secure_new_tables ON ddl_command_end EXECUTE FUNCTION app.secure_new_tables()",
                Action::Nothing,
            ),
            ("GRANT USAGE ON SCHEMA shop TO serasi_owner", Action::Run { creates: None }),
            (
                "GRANT ALL ON FUNCTION extensions.digest(text, text) TO anon",
                Action::Exposed(Name { schema: "extensions".into(), name: "digest".into() }),
            ),
            ("GRANT ALL ON FUNCTION extensions.digest(text, text) TO import_owner", Action::Nothing),
            ("COMMENT ON SCHEMA shop IS 'x'", Action::Later),
        ] {
            assert_eq!(classify(sql, Origin::Backup), expected, "{sql}");
        }
        let Action::Rows(rows) = classify("COPY auth.users (id) FROM stdin", Origin::Backup) else {
            panic!("no rows")
        };
        assert_eq!(rows.to, Destination::Nowhere);
    }
}
