//! `stiction view` as tests start it, ask it and end it.
#![allow(dead_code, reason = "every program test uses a part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A viewer that serves.
pub struct Viewer {
    pub child: Child,
    pub address: String,
}

impl Viewer {
    pub fn spawn(command: &mut Command) -> Viewer {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.split_whitespace().find(|word| word.starts_with("http://")).unwrap_or_else(|| panic!("{line}"));
        Viewer { address: address.to_owned(), child }
    }

    pub fn port(&self) -> u16 {
        let (_, rest) = self.address.rsplit_once(':').unwrap();
        rest.split('/').next().unwrap().parse().unwrap()
    }

    pub fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
            self.port()
        )
        .unwrap();
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Waits until the loop has ticked.
    pub fn ticks(&self, query: &str) {
        self.wait(&format!("/api/stats{query}"), "\"ticks\"");
    }

    /// Waits until an answer has some words in it.
    pub fn wait(&self, path: &str, words: &str) {
        let begun = Instant::now();
        while !self.get(path).contains(words) {
            assert!(begun.elapsed() < Duration::from_secs(120), "{path} never has {words}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ctrl-C; what it said on standard error.
    pub fn stop(mut self) -> (bool, String) {
        assert!(Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success());
        let begun = Instant::now();
        let status = self.child.wait().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(10), "it took {:?} to end", begun.elapsed());
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (status.success(), text)
    }
}
