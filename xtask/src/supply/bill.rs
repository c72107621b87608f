//! The software bill of materials of a release, in CycloneDX's format.

use serde_json::{Value, json};

use super::Component;

/// CycloneDX 1.5 as JSON. It contains no time and no random number, so that the same components produce the
/// same bill.
pub fn bill(version: &str, components: &[Component]) -> Value {
    let is_ours = |component: &&Component| component.url == "pkg:cargo/serasi";
    let root = format!("pkg:cargo/serasi@{version}");
    let others: Vec<&Component> = components.iter().filter(|component| !is_ours(component)).collect();
    let references: Vec<String> = others.iter().map(|component| reference(component)).collect();
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "serasi",
                "version": version,
                "licenses": [{ "expression": "MIT" }],
            },
        },
        "components": others.into_iter().map(entry).collect::<Vec<_>>(),
        "dependencies": [{ "ref": root, "dependsOn": references }],
    })
}

fn reference(component: &Component) -> String {
    format!("{}@{}", component.url, component.version)
}

fn entry(component: &Component) -> Value {
    let reference = reference(component);
    let mut entry = json!({
        "type": "library",
        "bom-ref": reference,
        "name": component.name,
        "version": component.version,
        "purl": reference,
    });
    // Before SPDX had expressions, crates separated alternatives by a slash.
    if let Some(license) = component.license.as_deref().map(|text| text.replace('/', " OR ")) {
        let license = license.split_whitespace().collect::<Vec<_>>().join(" ");
        entry["licenses"] = json!([{ "expression": license }]);
    }
    if let Some((algorithm, hash)) = &component.hash {
        entry["hashes"] = json!([{ "alg": algorithm, "content": hash }]);
    }
    // PostgreSQL is used only if no other server is given.
    if component.name.starts_with("@embedded-postgres/") {
        entry["scope"] = json!("optional");
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_is_listed_once_with_its_license_and_hash() {
        let component = |name: &str, license: &str| Component {
            url: format!("pkg:cargo/{name}"),
            name: name.into(),
            version: "1.0.0".into(),
            license: Some(license.into()),
            hash: Some(("SHA-256", "00".repeat(32))),
            foreign_source: None,
            shipped: true,
        };
        let bill = bill("1.2.0", &[component("old", "MIT/Apache-2.0"), component("serasi", "MIT")]);
        assert_eq!(bill["metadata"]["component"]["version"], "1.2.0");
        let components = bill["components"].as_array().unwrap();
        assert_eq!(components.len(), 1);
        assert_eq!(components[0]["licenses"], json!([{ "expression": "MIT OR Apache-2.0" }]));
        assert_eq!(components[0]["hashes"][0]["alg"], "SHA-256");
        assert_eq!(bill["dependencies"][0]["dependsOn"], json!(["pkg:cargo/old@1.0.0"]));
    }
}
