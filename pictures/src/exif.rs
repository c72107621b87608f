//! EXIF blocks (small TIFF files): reads the orientation, and writes a block with nothing else.

use image::metadata::Orientation;

/// The orientation, 2 to 8. The default, 1, needs no block.
pub(super) fn orientation(tiff: &[u8]) -> Option<u8> {
    Orientation::from_exif_chunk(tiff).map(Orientation::to_exif).filter(|orientation| *orientation > 1)
}

/// A TIFF file with a single directory and tag.
pub(super) fn orientation_only(orientation: u8) -> [u8; 26] {
    let mut tiff = *b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0";
    tiff[19] = orientation;
    tiff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientations_round_trip() {
        for value in 2..=8 {
            assert_eq!(orientation(&orientation_only(value)), Some(value));
        }
        assert_eq!(orientation(&orientation_only(1)), None);
        assert_eq!(orientation(b"II*\0\xff\xff\xff\xff"), None);
    }
}
