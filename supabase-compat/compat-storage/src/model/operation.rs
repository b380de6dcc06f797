//! The names policies may ask for in `storage.operation()`, as the original spells them.

pub const BUCKET_CREATE: &str = "storage.bucket.create";
pub const BUCKET_DELETE: &str = "storage.bucket.delete";
pub const BUCKET_EMPTY: &str = "storage.bucket.empty";
pub const BUCKET_GET: &str = "storage.bucket.get";
pub const BUCKET_LIST: &str = "storage.bucket.list";
pub const BUCKET_UPDATE: &str = "storage.bucket.update";
pub const OBJECT_COPY: &str = "storage.object.copy";
pub const OBJECT_DELETE: &str = "storage.object.delete";
pub const OBJECT_DELETE_MANY: &str = "storage.object.delete_many";
pub const OBJECT_GET_AUTHENTICATED: &str = "storage.object.get_authenticated";
pub const OBJECT_GET_PUBLIC: &str = "storage.object.get_public";
pub const OBJECT_GET_SIGNED: &str = "storage.object.get_signed";
pub const OBJECT_INFO_AUTHENTICATED: &str = "storage.object.info_authenticated";
pub const OBJECT_INFO_PUBLIC: &str = "storage.object.info_public";
pub const OBJECT_LIST: &str = "storage.object.list";
pub const OBJECT_LIST_V2: &str = "storage.object.list_v2";
pub const OBJECT_MOVE: &str = "storage.object.move";
pub const OBJECT_PURGE: &str = "storage.object.purge_cache";
pub const OBJECT_SIGN: &str = "storage.object.sign";
pub const OBJECT_SIGN_MANY: &str = "storage.object.sign_many";
pub const OBJECT_SIGN_UPLOAD: &str = "storage.object.sign_upload_url";
pub const OBJECT_UPLOAD: &str = "storage.object.upload";
pub const OBJECT_UPLOAD_SIGNED: &str = "storage.object.upload_signed";
pub const OBJECT_UPLOAD_UPDATE: &str = "storage.object.upload_update";
