//! Connection strings and libpq's variables.

use super::*;

fn parsed(uri: &str, env: &[(&str, &str)]) -> tokio_postgres::Config {
    parse(URI, uri, &env.iter().copied().collect()).unwrap().server
}

#[test]
fn several_hosts_may_have_several_ports() {
    let all = parsed("postgresql://", &[("PGHOST", "/a,b"), ("PGPORT", "1,")]);
    assert_eq!(all.get_hosts(), [Host::Unix("/a".into()), Host::Tcp("b".to_owned())]);
    assert_eq!(all.get_ports(), [1, 5432]);
}

#[test]
fn passwords_can_be_in_a_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("gateway-connection-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let passwords = folder.join("passwords").display().to_string();
    std::fs::write(&passwords, "other:*:*:*:no\nh:5433:*:me:a\\:b\n").unwrap();
    let env = [("PGPASSFILE", passwords.as_str())];
    let private = |mode| std::fs::set_permissions(&passwords, std::fs::Permissions::from_mode(mode)).unwrap();
    private(0o600);
    assert_eq!(parsed("postgresql://me@h:5433", &env).get_password(), Some(&b"a:b"[..]));
    let named = format!("host=h port=5433 user=me passfile={passwords}");
    assert_eq!(parsed(&named, &[]).get_password(), Some(&b"a:b"[..]));
    private(0o644);
    assert_eq!(parsed("postgresql://me@h:5433", &env).get_password(), None);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_invalid_variable_is_named() {
    for (name, value) in [("PGPORT", "many"), ("PGCONNECT_TIMEOUT", "x")] {
        let error = parse(URI, "postgresql://", &[(name, value)].into_iter().collect()).unwrap_err();
        assert_eq!(error.variable, name);
    }
    assert!(parse(URI, "service=none", &Env::default()).is_err());
}

#[test]
fn encryption_can_be_requested() {
    let mode = |uri: &str, env: &[(&str, &str)]| {
        parse(URI, uri, &env.iter().copied().collect()).map(|found| found.tls.mode)
    };
    assert_eq!(mode("postgresql://", &[]).unwrap(), TlsMode::Prefer);
    assert_eq!(mode("postgresql://", &[("PGSSLMODE", "verify-full")]).unwrap(), TlsMode::VerifyFull);
    assert_eq!(mode("host=a sslmode=require", &[("PGSSLMODE", "disable")]).unwrap(), TlsMode::Require);
    assert!(mode("postgres://h?sslmode=perhaps", &[]).unwrap_err().to_string().contains("sslmode"));
    for (parameters, expected) in [
        ("sslmode=require sslrootcert=/ca.pem", TlsMode::VerifyCa),
        ("sslmode=prefer sslrootcert=/ca.pem", TlsMode::Prefer),
        ("sslrootcert=system", TlsMode::VerifyFull),
        ("sslmode=verify-full sslrootcert=system", TlsMode::VerifyFull),
    ] {
        assert_eq!(mode(parameters, &[]).unwrap(), expected, "{parameters}");
    }
    for weaker in ["disable", "prefer", "require", "verify-ca"] {
        assert!(mode(&format!("sslmode={weaker} sslrootcert=system"), &[]).is_err(), "{weaker}");
    }
}

#[test]
fn libpqs_variables_complete_the_connection_string() {
    let env = [
        ("PGHOST", "/run/pg"),
        ("PGPORT", "5433"),
        ("PGUSER", "u"),
        ("PGPASSWORD", "p"),
        ("PGDATABASE", "d"),
        ("PGAPPNAME", "a"),
    ];
    let all = parsed("postgresql://", &env);
    assert_eq!(all.get_hosts(), [Host::Unix("/run/pg".into())]);
    assert_eq!((all.get_ports(), all.get_user(), all.get_dbname()), (&[5433][..], Some("u"), Some("d")));
    assert_eq!((all.get_password(), all.get_application_name()), (Some(&b"p"[..]), Some("a")));
    let given = parsed("postgres://me@db", &[("LOGIN_PASSWORD", "l")]);
    assert_eq!(given.get_password(), Some(&b"l"[..]));
    let given = parsed("postgres://me:secret@db.example:1/mine?application_name=b", &env);
    assert_eq!(given.get_hosts(), [Host::Tcp("db.example".to_owned())]);
    assert_eq!(
        (given.get_ports(), given.get_user(), given.get_dbname()),
        (&[1][..], Some("me"), Some("mine"))
    );
    assert_eq!((given.get_password(), given.get_application_name()), (Some(&b"secret"[..]), Some("b")));
    assert_eq!(parsed("postgresql://", &[]).get_hosts(), [Host::Tcp("localhost".to_owned())]);
    assert_eq!(parsed("mine", &env).get_dbname(), Some("mine"));
}

#[test]
fn errors_do_not_contain_the_connection_string() {
    let error = parse(URI, "postgres://u:hidden@h:port", &Env::default()).unwrap_err().to_string();
    assert!(error.starts_with(URI) && !error.contains("hidden"), "{error}");
}
