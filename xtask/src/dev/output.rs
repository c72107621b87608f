//! One readable log: each line begins with the name of the program that wrote it.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

pub fn say(who: &str, text: &str) {
    for line in text.lines() {
        println!("{who:<8} | {line}");
    }
}

/// Prints the lines of a program's output, and passes each to `seen` first.
pub async fn show(who: &'static str, output: impl AsyncRead + Unpin, mut seen: impl FnMut(&str)) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        seen(&line);
        say(who, &line);
    }
}
