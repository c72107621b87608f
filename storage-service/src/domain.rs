//! Rules for names, sizes and formats, without I/O.

pub mod bucket_name;
pub mod byte_size;
pub mod mime_type;
pub mod object_path;
pub mod owner;
pub mod range;
pub mod robots;
pub mod version;
