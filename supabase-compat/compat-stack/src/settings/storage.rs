//! Settings of storage/v1: the original's variables and `[storage]`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use compat_storage::images::Limits;
use compat_storage::{BucketSeed, Config, MediaPattern, parse_size};

use super::reader::Reader;
use super::setting::Setting as _;

/// Reads the settings of storage/v1.
pub fn read(reader: &mut Reader) -> Config {
    let mut config = Config::default();
    let named = ["UPLOAD_FILE_SIZE_LIMIT", "FILE_SIZE_LIMIT"];
    reader.over_with(&mut config.file_size_limit, &named, "storage.file_size_limit", size);
    let named = ["UPLOAD_SIGNED_URL_EXPIRATION_TIME", "SIGNED_UPLOAD_URL_EXPIRATION_TIME"];
    reader.over(
        &mut config.signed_upload_life,
        &named,
        "storage.signed_upload_url_expiration_time",
    );
    reader.over(&mut config.shared_max_age, &["RESPONSE_S_MAXAGE"], "storage.response_s_maxage");
    reader.over(&mut config.cache_size, &["STORAGE_CACHE_SIZE"], "storage.cache_size");
    let named = ["STORAGE_EMPTY_BUCKET_MAX"];
    reader.over(&mut config.empty_bucket_max, &named, "storage.empty_bucket_max");
    let named = ["DATABASE_STATEMENT_TIMEOUT"];
    reader.over_with(&mut config.statement_timeout, &named, "storage.statement_timeout", |text| {
        text.parse().map(Duration::from_millis).map_err(|_| "milliseconds")
    });
    config.images = images(reader);
    let named = ["TUS_URL_EXPIRY_MS"];
    reader.over_with(&mut config.tus_life, &named, "storage.tus_url_expiry_ms", |text| {
        text.parse().map(Duration::from_millis).map_err(|_| "milliseconds")
    });
    read_s3_protocol(reader, &mut config);
    config.buckets = buckets(reader);
    config
}

/// The limits of image transformation, under the names of the original's renderer where it has
/// them.
fn images(reader: &mut Reader) -> Option<Limits> {
    let (mut is_on, mut limits) = (true, Limits::default());
    let named = ["IMAGE_TRANSFORMATION_ENABLED", "ENABLE_IMAGE_TRANSFORMATION"];
    reader.over(&mut is_on, &named, "storage.image_transformation.enabled");
    let megapixels = |text: &str| match text.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1000.0 => Ok((number * 1e6) as u64),
        _ => Err("megapixels, such as 50"),
    };
    let named = ["IMGPROXY_MAX_SRC_RESOLUTION"];
    let key = "storage.image_transformation.max_src_resolution";
    reader.over_with(&mut limits.pixels, &named, key, megapixels);
    let named = ["IMGPROXY_MAX_SRC_FILE_SIZE"];
    let key = "storage.image_transformation.max_src_file_size";
    reader.over_with(&mut limits.bytes, &named, key, size);
    let named = ["IMGPROXY_WORKERS"];
    reader.over(&mut limits.workers, &named, "storage.image_transformation.workers");
    let named = ["IMAGE_TRANSFORMATION_MEMORY"];
    reader.over_with(&mut limits.memory, &named, "storage.image_transformation.memory", size);
    let named = ["IMAGE_TRANSFORMATION_CACHE"];
    let cache_size =
        |text: &str| size(text).and_then(|size| usize::try_from(size).map_err(|_| SIZE));
    reader.over_with(
        &mut limits.cache_bytes,
        &named,
        "storage.image_transformation.cache",
        cache_size,
    );
    is_on.then_some(limits)
}

/// Reads the settings of the S3 protocol: its keys and its region.
fn read_s3_protocol(reader: &mut Reader, config: &mut Config) {
    reader.over(&mut config.tenant_id, &["TENANT_ID"], "storage.tenant_id");
    let id = reader.text(&["S3_PROTOCOL_ACCESS_KEY_ID"], "storage.s3_protocol.access_key_id");
    let named = ["S3_PROTOCOL_ACCESS_KEY_SECRET"];
    let secret = reader.text(&named, "storage.s3_protocol.access_key_secret");
    match (id, secret) {
        (Some(id), Some(secret)) => config.s3_key = Some((id, secret.into())),
        (None, None) => {}
        (Some(_), None) => reader.refuse(named[0], "the secret of S3_PROTOCOL_ACCESS_KEY_ID"),
        (None, Some(_)) => {
            reader.refuse("S3_PROTOCOL_ACCESS_KEY_ID", "the id of S3_PROTOCOL_ACCESS_KEY_SECRET");
        }
    }
    let mut is_enforced = false;
    let named = ["S3_PROTOCOL_ENFORCE_REGION"];
    reader.over(&mut is_enforced, &named, "storage.s3_protocol.enforce_region");
    let region = reader.text(&["STORAGE_S3_REGION", "REGION"], "storage.s3_region");
    config.s3_region = region.filter(|_| is_enforced);
    if is_enforced && config.s3_region.is_none() {
        reader.refuse("S3_PROTOCOL_ENFORCE_REGION", "a region in STORAGE_S3_REGION");
    }
}

const PREFIX: &str = "storage.buckets.";

/// The folders of seed objects, `[storage.buckets.<name>] objects_path`, relative to the folder of
/// the file.
pub fn first_objects(reader: &mut Reader) -> BTreeMap<String, PathBuf> {
    let folder = reader.folder().to_owned();
    let of_bucket = |(key, path): (String, String)| {
        let name = key.strip_suffix(".objects_path")?;
        Some((name.to_owned(), folder.join(path.trim_start_matches("./"))))
    };
    reader.below(PREFIX).into_iter().filter_map(of_bucket).collect()
}

/// Reads the buckets in `[storage.buckets.<name>]`.
fn buckets(reader: &mut Reader) -> Vec<BucketSeed> {
    let mut seeds = BTreeMap::<String, BucketSeed>::new();
    for (key, value) in reader.below(PREFIX) {
        let Some((name, field)) = key.rsplit_once('.') else { continue };
        let seed = seeds
            .entry(name.to_owned())
            .or_insert_with(|| BucketSeed { name: name.to_owned(), ..BucketSeed::default() });
        let refusal = match field {
            "public" => set(&mut seed.public, bool::read(&value)).err().map(|()| bool::EXPECTED),
            "file_size_limit" => {
                set(&mut seed.file_size_limit, size(&value).ok().map(Some)).err().map(|()| SIZE)
            }
            "allowed_mime_types" => {
                let types = types(&value).map(|types| Some(types).filter(|all| !all.is_empty()));
                set(&mut seed.allowed_mime_types, types).err().map(|()| "types such as image/png")
            }
            _ => None,
        };
        if let Some(expected) = refusal {
            reader.refuse(format!("{PREFIX}{key}"), expected);
        }
    }
    seeds.into_values().collect()
}

fn set<T>(field: &mut T, value: Option<T>) -> Result<(), ()> {
    *field = value.ok_or(())?;
    Ok(())
}

fn types(text: &str) -> Option<Vec<String>> {
    let types = <Vec<String>>::read(text)?;
    types.iter().all(|one| MediaPattern::parse(one).is_some()).then_some(types)
}

const SIZE: &str = "a size such as 52428800, 50MiB or 50MB";

/// Parses a size in bytes, or with a unit, which is binary with and without the `i`, as in the CLI.
pub(super) fn size(text: &str) -> Result<u64, &'static str> {
    let small = text.trim().to_ascii_lowercase();
    let (number, factor) = match small.strip_suffix("ib").or_else(|| small.strip_suffix('b')) {
        Some(rest) if rest.ends_with('k') => (&rest[..rest.len() - 1], 1 << 10),
        Some(rest) if rest.ends_with('m') => (&rest[..rest.len() - 1], 1 << 20),
        Some(rest) if rest.ends_with('g') => (&rest[..rest.len() - 1], 1 << 30),
        _ => return parse_size(&small).ok_or(SIZE),
    };
    let number: u64 = number.trim().parse().map_err(|_| SIZE)?;
    number.checked_mul(factor).ok_or(SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_a_project_are_binary() {
        for (text, bytes) in
            [("52428800", 52_428_800), ("50MiB", 52_428_800), ("50MB", 52_428_800), ("1 KiB", 1024)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "MiB", "-1MB", "x", "99999999999GB"] {
            assert_eq!(size(wrong), Err(SIZE), "{wrong}");
        }
    }

    #[test]
    fn s3_access_key_without_secret_is_refused() {
        let read_pairs = |pairs: &[(&str, &str)]| {
            let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            let environment = pairs.iter().map(pair).collect();
            let mut reader = Reader::new(environment, &toml::Table::new());
            let config = read(&mut reader);
            (config, reader.finish().problems.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let (id, secret) = ("S3_PROTOCOL_ACCESS_KEY_ID", "S3_PROTOCOL_ACCESS_KEY_SECRET");
        let (config, problems) = read_pairs(&[(id, "key"), (secret, "secret")]);
        assert_eq!(config.s3_key.map(|(id, _)| id).as_deref(), Some("key"));
        assert_eq!(problems, [""; 0]);
        let (_, problems) = read_pairs(&[(id, "key")]);
        assert_eq!(problems, [format!("{secret}: expected the secret of {id}")]);
        let (_, problems) = read_pairs(&[("S3_PROTOCOL_ENFORCE_REGION", "true")]);
        assert_eq!(problems.len(), 1, "{problems:?}");
    }

    #[test]
    fn project_buckets_are_read_and_validated() {
        let file = r#"
            [storage]
            file_size_limit = "20MiB"
            [storage.buckets.images]
            public = true
            file_size_limit = "5MiB"
            allowed_mime_types = ["image/png", "image/*"]
            objects_path = "./images"
            [storage.buckets.wrong]
            public = "perhaps"
            allowed_mime_types = ["png"]
        "#;
        let mut reader =
            Reader::new(BTreeMap::new(), &file.parse().expect("TOML")).in_folder("supabase".into());
        let config = read(&mut reader);
        assert_eq!(config.file_size_limit, 20 << 20);
        let folders = BTreeMap::from([("images".to_owned(), "supabase/images".into())]);
        assert_eq!(first_objects(&mut reader), folders);
        let images = BucketSeed {
            name: "images".to_owned(),
            public: true,
            file_size_limit: Some(5 << 20),
            allowed_mime_types: Some(vec!["image/png".to_owned(), "image/*".to_owned()]),
        };
        assert_eq!(config.buckets.first(), Some(&images));
        let findings: Vec<_> = reader.finish().problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            findings,
            [
                "storage.buckets.wrong.allowed_mime_types: expected types such as image/png",
                "storage.buckets.wrong.public: expected true or false",
            ]
        );
    }
}
