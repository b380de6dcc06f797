//! The digests that a client may send for a body ("Checking object integrity"): in a header, or
//! after the body in a trailer.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crc::{CRC_32_ISCSI, CRC_32_ISO_HDLC, CRC_64_NVME, Crc, Table};
use http::HeaderMap;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha256};

use super::S3Refusal;

static CRC32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);
static CRC32C: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);
static CRC64: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_NVME);

/// A checksum algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Crc32,
    Crc32c,
    Crc64Nvme,
    Sha1,
    Sha256,
    Md5,
}

impl Algorithm {
    const ALL: [Self; 6] =
        [Self::Crc32, Self::Crc32c, Self::Crc64Nvme, Self::Sha1, Self::Sha256, Self::Md5];

    /// The header or trailer that carries this checksum.
    pub(crate) fn header(self) -> &'static str {
        match self {
            Self::Crc32 => "x-amz-checksum-crc32",
            Self::Crc32c => "x-amz-checksum-crc32c",
            Self::Crc64Nvme => "x-amz-checksum-crc64nvme",
            Self::Sha1 => "x-amz-checksum-sha1",
            Self::Sha256 => "x-amz-checksum-sha256",
            Self::Md5 => "content-md5",
        }
    }

    fn len(self) -> usize {
        match self {
            Self::Crc32 | Self::Crc32c => 4,
            Self::Crc64Nvme => 8,
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// The algorithm of a trailer with this name.
    pub(crate) fn of_trailer(name: &str) -> Option<Self> {
        let carried = |algorithm: &Self| *algorithm != Self::Md5 && algorithm.header() == name;
        Self::ALL.into_iter().find(carried)
    }

    /// Parses a base64 digest.
    ///
    /// # Errors
    /// [`S3Refusal::InvalidDigest`] if the text is not base64 or has the wrong length.
    pub(crate) fn read(self, text: &str) -> Result<Vec<u8>, S3Refusal> {
        let read = STANDARD.decode(text.trim()).ok();
        read.filter(|digest| digest.len() == self.len())
            .ok_or(S3Refusal::InvalidDigest(self.header()))
    }
}

/// The digests that the headers announce.
///
/// # Errors
/// [`S3Refusal::InvalidDigest`].
pub(crate) fn promised(headers: &HeaderMap) -> Result<Vec<(Algorithm, Vec<u8>)>, S3Refusal> {
    let mut checksums = Vec::new();
    for algorithm in Algorithm::ALL {
        let Some(value) = headers.get(algorithm.header()) else { continue };
        let invalid = S3Refusal::InvalidDigest(algorithm.header());
        checksums.push((algorithm, algorithm.read(value.to_str().map_err(|_| invalid)?)?));
    }
    Ok(checksums)
}

/// An incremental digest.
#[derive(Clone)]
pub(crate) enum Sum {
    Crc32(crc::Digest<'static, u32, Table<16>>),
    Crc32c(crc::Digest<'static, u32, Table<16>>),
    Crc64Nvme(crc::Digest<'static, u64, Table<16>>),
    Sha1(Sha1),
    Sha256(Sha256),
    Md5(Md5),
}

impl Sum {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Crc32 => Self::Crc32(CRC32.digest()),
            Algorithm::Crc32c => Self::Crc32c(CRC32C.digest()),
            Algorithm::Crc64Nvme => Self::Crc64Nvme(CRC64.digest()),
            Algorithm::Sha1 => Self::Sha1(Sha1::new()),
            Algorithm::Sha256 => Self::Sha256(Sha256::new()),
            Algorithm::Md5 => Self::Md5(Md5::new()),
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Crc32(sum) | Self::Crc32c(sum) => sum.update(bytes),
            Self::Crc64Nvme(sum) => sum.update(bytes),
            Self::Sha1(sum) => sum.update(bytes),
            Self::Sha256(sum) => sum.update(bytes),
            Self::Md5(sum) => sum.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        match self {
            Self::Crc32(sum) | Self::Crc32c(sum) => sum.finalize().to_be_bytes().to_vec(),
            Self::Crc64Nvme(sum) => sum.finalize().to_be_bytes().to_vec(),
            Self::Sha1(sum) => sum.finalize().to_vec(),
            Self::Sha256(sum) => sum.finalize().to_vec(),
            Self::Md5(sum) => sum.finalize().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_catalogues() {
        // The check values of "123456789" in the catalogue of CRCs and in RFC 1321 and FIPS 180.
        for (algorithm, expected) in [
            (Algorithm::Crc32, "cbf43926"),
            (Algorithm::Crc32c, "e3069283"),
            (Algorithm::Crc64Nvme, "ae8b14860a799888"),
            (Algorithm::Md5, "25f9e794323b453885f5181f1b624d0b"),
            (Algorithm::Sha1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441"),
        ] {
            let mut sum = Sum::new(algorithm);
            sum.update(b"1234");
            sum.update(b"56789");
            assert_eq!(hex::encode(sum.finish()), expected, "{algorithm:?}");
        }
    }

    #[test]
    fn malformed_digests_are_refused() {
        for value in ["", "AAAA", "AAAAAA", "*", "AAAAAAAA"] {
            let headers = [(http::HeaderName::from_static("x-amz-checksum-crc32"), value)];
            let headers = headers.map(|(name, value)| (name, value.parse().unwrap()));
            let refusal = promised(&HeaderMap::from_iter(headers));
            let expected = S3Refusal::InvalidDigest("x-amz-checksum-crc32");
            assert_eq!(refusal, Err(expected), "{value}");
        }
    }
}
