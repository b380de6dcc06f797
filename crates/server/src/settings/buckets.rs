//! The site's buckets, from the file that says which files each may contain.

use compat_stack::settings::Reader;

const BUCKETS: &str = include_str!("../../../../storage/buckets.toml");

/// Makes the buckets default settings, which the operator's own file may override.
pub fn preset(reader: &mut Reader) {
    let file: toml::Table = BUCKETS.parse().expect("the file is ours, and a test reads it");
    for (key, value) in keys("", &file) {
        reader.preset(&key, &value);
    }
}

fn keys(before: &str, table: &toml::Table) -> Vec<(String, String)> {
    let one = |(name, value): (&String, &toml::Value)| {
        let key = if before.is_empty() { name.clone() } else { format!("{before}.{name}") };
        match value {
            toml::Value::Table(inner) => keys(&key, inner),
            other => vec![(key, plain(other))],
        }
    };
    table.iter().flat_map(one).collect()
}

fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use compat_stack::settings::{DataArguments, ServeArguments, finish};

    use super::*;

    #[test]
    fn pictures_of_servers_have_a_bucket() {
        let mut reader = Reader::new(BTreeMap::new(), &toml::Table::new());
        preset(&mut reader);
        let arguments = ServeArguments {
            data: DataArguments { config: None, data_dir: Some("/nowhere".into()) },
            host: None,
            port: None,
            admin_port: None,
            admin_host: None,
            db_port: None,
            functions: None,
            functions_env_file: None,
            only: Vec::new(),
        };
        let settings = compat_stack::Settings::read(&mut reader, &arguments);
        finish(reader).expect("nothing is wrong with it");
        let [bucket] = &settings.storage.buckets[..] else { panic!("{:?}", settings.storage) };
        assert_eq!((bucket.name.as_str(), bucket.public), ("server-images", true));
        assert_eq!(bucket.file_size_limit, Some(5_242_880));
        let types = ["image/jpeg", "image/png", "image/webp", "image/gif"];
        assert_eq!(bucket.allowed_mime_types.as_deref(), Some(&types.map(str::to_owned)[..]));
    }
}
