//! EXIF blocks (small TIFF files): reads the orientation, and writes a block with nothing else.

/// The `Orientation` tag of the first directory, 2 to 8. The default, 1, needs no block.
pub(super) fn orientation(tiff: &[u8]) -> Option<u8> {
    let little = match tiff.get(..4)? {
        [b'I', b'I', 42, 0] => true,
        [b'M', b'M', 0, 42] => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let long: [u8; 4] = tiff.get(4..8)?.try_into().ok()?;
    let directory =
        usize::try_from(if little { u32::from_le_bytes(long) } else { u32::from_be_bytes(long) }).ok()?;
    let entries = usize::from(short(directory)?);
    let entry = (0..entries).map(|index| directory + 2 + index * 12).find(|at| short(*at) == Some(0x0112))?;
    u8::try_from(short(entry + 8)?).ok().filter(|value| (2..=8).contains(value))
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
