//! A page for tests: a WebSocket client with a decoder of its own, written from PROTOCOL.md.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A frame, as far as the tests look.
#[derive(Clone, Debug)]
pub struct Frame {
    pub lanes: u8,
    pub source: u8,
    pub bits: u8,
    pub generation: u32,
    pub time: f64,
    pub tick: f64,
    pub seq: f64,
    pub speed: f64,
    pub hand: [f64; 7],
    pub lane: Vec<Lane>,
}

#[derive(Clone, Debug)]
pub struct Lane {
    pub part: [f64; 7],
    pub wrench: [f64; 6],
    pub bodies: Vec<[f64; 7]>,
    pub margin: f64,
    pub creep: f64,
    pub word: u8,
    pub weakest: [f64; 6],
    pub verdict: u64,
    pub contacts: u64,
    pub slipped: u32,
    pub sentence: String,
    pub positions: Vec<[f32; 3]>,
    pub areas: Vec<Area>,
    pub holds: [u16; 2],
}

/// A contact area: its bodies, its state and the corners of its outline.
#[derive(Clone, Debug)]
pub struct Area {
    pub bodies: [u16; 2],
    pub state: u32,
    pub outline: Vec<[f32; 3]>,
}

/// Bytes of a lane before the words of its tick.
const LANE: usize = 124;

impl Frame {
    /// The frame of those bytes, whose ticks have these columns.
    pub fn of(bytes: &[u8], columns: &[String]) -> Frame {
        let f64_at = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let f32_at = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let u16_at = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
        assert_eq!(bytes[0], 1);
        let mut at = 120;
        let mut lane = Vec::new();
        for _ in 0..bytes[1] {
            let [_ticks, slipped, words, contacts, areas, corners, length] =
                std::array::from_fn(|i| u32_at(at + 92 + 4 * i));
            assert_eq!(words as usize, columns.len(), "a word for each column");
            let place = |name: &str| at + LANE + 8 * columns.iter().position(|c| c == name).unwrap();
            let real = |name: &str| f64_at(place(name));
            let number = |name: &str| u64::from_le_bytes(bytes[place(name)..place(name) + 8].try_into().unwrap());
            let bodies = at + LANE + 8 * words as usize;
            let body = |i: usize| std::array::from_fn(|k| f64_at(bodies + 56 * i + 8 * k));
            let count = usize::from(u16_at(at + 90));
            let text = bodies + 56 * count;
            let first = text + (length as usize).next_multiple_of(4);
            let position = |i: usize| std::array::from_fn(|k| f32_at(first + 68 * i + 8 + 4 * k));
            let after = first + 68 * contacts as usize;
            let mut corner = after + 64 * areas as usize;
            let end = corner + 12 * corners as usize;
            let area = |i: usize| {
                let from = after + 64 * i;
                let outline = (0..u32_at(from + 12)).map(|_| {
                    corner += 12;
                    std::array::from_fn(|k| f32_at(corner - 12 + 4 * k))
                });
                let outline = outline.collect();
                Area { bodies: [u16_at(from + 4), u16_at(from + 6)], state: u32_at(from + 8), outline }
            };
            let areas: Vec<Area> = (0..areas as usize).map(area).collect();
            assert_eq!(corner, end, "every corner belongs to an area");
            lane.push(Lane {
                part: ["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"].map(|axis| real(&format!("part_{axis}"))),
                wrench: ["fx_n", "fy_n", "fz_n", "tx_nm", "ty_nm", "tz_nm"].map(|axis| real(&format!("wrench_{axis}"))),
                bodies: (0..count).map(body).collect(),
                margin: f64_at(at),
                creep: f64_at(at + 8),
                word: bytes[at + 89],
                weakest: std::array::from_fn(|i| f64_at(at + 40 + 8 * i)),
                // Not every engine has one.
                verdict: if columns.iter().any(|c| c == "verdict") { number("verdict") } else { u64::MAX },
                contacts: number("contacts"),
                slipped,
                sentence: String::from_utf8(bytes[text..text + length as usize].to_vec()).unwrap(),
                positions: (0..contacts as usize).map(position).collect(),
                areas,
                holds: [u16_at(at + 120), u16_at(at + 122)],
            });
            at = end;
        }
        assert_eq!(at, bytes.len(), "nothing is left over");
        Frame {
            lanes: bytes[1],
            source: bytes[2],
            bits: bytes[3],
            generation: u32_at(4),
            time: f64_at(8),
            tick: f64_at(16),
            seq: f64_at(24),
            speed: f64_at(32),
            hand: std::array::from_fn(|i| f64_at(64 + 8 * i)),
            lane,
        }
    }

    pub fn paused(&self) -> bool {
        self.bits & 1 != 0
    }
}

pub struct Page {
    socket: WebSocket<TcpStream>,
    pub frame: Option<Frame>,
    pub frames: usize,
    /// The names of columns of the last world.
    columns: Vec<String>,
    /// The problem that was waited for last: a page that connects while a problem is told may be told twice.
    told: Option<Value>,
}

/// How long anything may take.
const LONG: Duration = Duration::from_secs(30);

impl Page {
    /// Connects, or tells with which status the server refused.
    pub fn connect(port: u16, query: &str, headers: &[(&'static str, &str)]) -> Result<Page, u16> {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        let mut request = format!("ws://127.0.0.1:{port}/api/session{query}").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Page { socket, frame: None, frames: 0, columns: Vec::new(), told: None }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(other) => panic!("{other}"),
        }
    }

    pub fn say(&mut self, message: Value) {
        self.raw(Message::text(message.to_string()));
    }

    pub fn raw(&mut self, message: Message) {
        self.socket.send(message).unwrap();
    }

    /// The next JSON message; frames are kept on the way. None when the server closed, with its code.
    pub fn next(&mut self) -> Result<Option<Value>, Option<u16>> {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["type"] == "world" {
                    let names = message["columns"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap());
                    self.columns = names.map(String::from).collect();
                }
                Ok(Some(message))
            }
            Ok(Message::Binary(bytes)) => {
                // Before the first world nobody can tell what is in a frame.
                if !self.columns.is_empty() {
                    self.frame = Some(Frame::of(&bytes, &self.columns));
                }
                self.frames += 1;
                Ok(None)
            }
            Ok(Message::Close(frame)) => Err(frame.map(|f| f.code.into())),
            Ok(_) => Ok(None),
            Err(_) => Err(None),
        }
    }

    /// Waits for a message of a type that is as wanted.
    pub fn wait(&mut self, kind: &str, good: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        while begun.elapsed() < LONG {
            if let Some(message) =
                self.next().unwrap_or_else(|code| panic!("closed ({code:?}) while waiting for {kind}"))
            {
                let problem = message["type"] == "problem";
                if message["type"] == kind && good(&message) {
                    self.told = if problem { Some(message.clone()) } else { self.told.take() };
                    return message;
                }
                let again = self.told.as_ref() == Some(&message);
                assert!(kind == "problem" || !problem || again, "while waiting for {kind}: {message}");
            }
        }
        panic!("no {kind} within {LONG:?}");
    }

    /// Waits for a frame that is as wanted; messages on the way are lost.
    pub fn until(&mut self, what: &str, good: impl Fn(&Frame) -> bool) -> Frame {
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < LONG {
            if let Some(message) =
                self.next().unwrap_or_else(|code| panic!("closed ({code:?}) while waiting until {what}"))
            {
                assert!(message["type"] != "problem", "while waiting until {what}: {message}");
            }
            if let Some(frame) = self.frame.take() {
                if good(&frame) {
                    return frame;
                }
                last = Some(frame);
            }
        }
        panic!("never {what}: {last:?}");
    }

    pub fn hand(&mut self, seq: u32, at: [f64; 3]) {
        let [x, y, z] = at;
        self.say(json!({ "type": "hand", "seq": seq, "pose": [x, y, z, 1.0, 0.0, 0.0, 0.0] }));
    }
}
