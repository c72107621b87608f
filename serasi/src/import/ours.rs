//! Recognizes Serasi's objects in the dump of a backup. The schema `public` contains both Serasi's and the operator's.

use super::classify::{Action, Destination, Rows};
use super::schemas::{OUR_OWNER, Origin, Place};
use super::split::Entry;

/// Skips Serasi's objects, because a restore creates them without the dump. Policies and triggers on Serasi's tables are
/// decided later, after the whole dump has been read.
pub fn without(entry: Option<&Entry>, action: Action) -> Action {
    let Some(entry) = entry else { return action };
    let is_shared = entry.schema == "public" || Origin::Backup.place(&entry.schema) != Place::Own;
    let is_of_database = entry.schema == "-";
    if entry.owner != OUR_OWNER || !(is_shared || is_of_database) {
        return match action {
            // Migrations set the default privileges of the database and of `public`.
            Action::LeaveOut { kind: "default privileges", .. }
                if is_of_database || entry.schema == "public" =>
            {
                Action::Nothing
            }
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
    fn serasis_objects_are_recognized_by_their_owner() {
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
    fn imported_policies_and_triggers_on_serasis_tables_are_kept() {
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
    fn statements_that_only_a_backup_contains_are_classified() {
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
