//! Reads the sequence header of an AV1 stream. Decoders allocate the size it declares, whatever the boxes
//! around it say.

use crate::size::Size;

const SEQUENCE_HEADER: u64 = 1;

/// Adds the sizes of all sequence headers, up to the first OBU that can't be read.
pub(super) fn sizes(mut stream: &[u8], size: &mut Size) {
    while let Some((kind, content, rest)) = next_obu(stream) {
        if kind == SEQUENCE_HEADER
            && let Some((width, height)) = largest_frame(&mut Bits::of(content))
        {
            size.add(width, height);
        }
        stream = rest;
    }
}

fn next_obu(stream: &[u8]) -> Option<(u64, &[u8], &[u8])> {
    let (&header, mut rest) = stream.split_first()?;
    if header & 0x04 != 0 {
        rest = rest.get(1..)?;
    }
    let length = if header & 0x02 == 0 { rest.len() } else { leb128(&mut rest)? };
    let (content, rest) = rest.split_at_checked(length.min(rest.len()))?;
    Some((u64::from(header >> 3 & 15), content, rest))
}

fn leb128(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for place in 0..8 {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        number |= usize::from(byte & 0x7f).checked_shl(place * 7)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Parses `sequence_header_obu()` (AV1 specification, section 5.5.1) up to `max_frame_height_minus_1`.
fn largest_frame(bits: &mut Bits<'_>) -> Option<(u64, u64)> {
    bits.take(3)?;
    bits.take(1)?;
    if bits.take(1)? == 1 {
        bits.take(5)?;
    } else {
        operating_points(bits)?;
    }
    let (width_bits, height_bits) = (bits.take(4)? + 1, bits.take(4)? + 1);
    Some((bits.take(width_bits)? + 1, bits.take(height_bits)? + 1))
}

fn operating_points(bits: &mut Bits<'_>) -> Option<()> {
    let mut delay_length = None;
    if bits.take(1)? == 1 {
        bits.take(64)?;
        if bits.take(1)? == 1 {
            bits.exp_golomb()?;
        }
        if bits.take(1)? == 1 {
            delay_length = Some(bits.take(5)? + 1);
            bits.take(42)?;
        }
    }
    let initial_delay = bits.take(1)? == 1;
    for _ in 0..=bits.take(5)? {
        bits.take(12)?;
        if bits.take(5)? > 7 {
            bits.take(1)?;
        }
        if let Some(length) = delay_length
            && bits.take(1)? == 1
        {
            bits.take(2 * length + 1)?;
        }
        if initial_delay && bits.take(1)? == 1 {
            bits.take(4)?;
        }
    }
    Some(())
}

/// Reads bits, most significant first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bits<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next `count` bits; only the lowest 64 are returned.
    fn take(&mut self, count: u64) -> Option<u64> {
        let mut number = 0_u64;
        for _ in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            number = number << 1 | u64::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(number)
    }

    fn exp_golomb(&mut self) -> Option<()> {
        let mut zeros = 0;
        while self.take(1)? == 0 {
            zeros += 1;
        }
        self.take(zeros.min(32)).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_still_pictures_size_is_read() {
        // Profile 0, still picture, reduced header, level 0, ten bits each, 1024 x 768.
        let mut bits = "0001".to_owned() + "1" + "00000" + "1001" + "1001";
        bits += &format!("{:010b}{:010b}", 1023, 767);
        let bytes: Vec<u8> = bits
            .into_bytes()
            .chunks(8)
            .map(|byte| byte.iter().fold(0, |value, bit| value << 1 | (bit - b'0')) << (8 - byte.len()))
            .collect();
        let stream = [&[0x12, 0x00, 0x0a, u8::try_from(bytes.len()).unwrap()][..], &bytes].concat();
        let mut size = Size::default();
        sizes(&stream, &mut size);
        assert_eq!((size.width, size.height), (1024, 768));
    }

    #[test]
    fn garbage_declares_no_size() {
        let mut size = Size::default();
        sizes(&[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], &mut size);
        sizes(&[0x0a], &mut size);
        assert_eq!(size, Size::default());
    }
}
