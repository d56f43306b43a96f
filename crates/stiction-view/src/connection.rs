//! One page: what it says is checked and done, what there is to say is sent, and no page waits for another.

use crate::live::Source;
use crate::server::App;
use crate::state::{SharedState, locked};
use crate::wire::{CONTROLS, PROTOCOL, PageMessage, ServerMessage, parse_message};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::TrySendError;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

/// Most pages at once.
pub const MOST_PAGES: usize = 16;
/// Largest message of a page (bytes).
pub const LARGEST: usize = 8 << 10;
/// Shortest time between two frames.
const FRAME: Duration = Duration::from_millis(8);
/// A page that takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two pings, and how long a page may be silent.
const PING: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(30);
/// Time between two looks at who has to hand over.
const TAKE_OVER_LOOK: Duration = Duration::from_millis(200);
/// Messages without sense before a page is sent away.
const NONSENSE: u32 = 100;

/// What goes to this page alone.
enum Out {
    Text(String),
    Close(u16, &'static str),
}

/// Serves a page until it leaves.
pub async fn run(socket: WebSocket, app: App) {
    let shared = app.shared;
    let number = locked(&shared.roles).enter(std::time::Instant::now());
    let (sink, stream) = socket.split();
    let (direct, mine) = mpsc::channel(64);
    let sender =
        Sender { sink, mine, news: shared.news.subscribe(), frames: shared.frames.subscribe(), next: Instant::now() };
    let greeting = greeting(&shared, number, &app.scenes);
    shared.tell_roles();
    let sending = tokio::spawn(sender.run(greeting, Arc::clone(&shared)));
    listen(stream, &shared, number, &direct).await;
    drop(direct);
    // The last word, if there is one, and then the end, whether the page still listens or not.
    let _ = timeout(Duration::from_secs(1), sending).await;
    locked(&shared.roles).leave(number, std::time::Instant::now());
    shared.tell_roles();
}

/// Hands the part over where its holder does nothing while another page asks for it; never ends.
pub async fn watch_roles(shared: Arc<SharedState>) {
    loop {
        tokio::time::sleep(TAKE_OVER_LOOK).await;
        if locked(&shared.roles).take_over(std::time::Instant::now()) {
            shared.tell_roles();
        }
    }
}

fn greeting(shared: &SharedState, page: u32, scenes: &[String]) -> Vec<String> {
    let welcome = ServerMessage::Welcome {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").into(),
        page,
        scenes: scenes.to_vec(),
        controls: &CONTROLS,
    };
    let mut all = vec![welcome.json(), locked(&shared.roles).say(std::time::Instant::now()).json()];
    let facts = locked(&shared.facts);
    let kept = [&facts.world, &facts.recordings, &facts.progress, &facts.fatal];
    all.extend(kept.into_iter().flatten().map(|text| text.to_string()));
    all
}

struct Sender {
    sink: SplitSink<WebSocket, Message>,
    mine: mpsc::Receiver<Out>,
    news: broadcast::Receiver<Arc<str>>,
    frames: watch::Receiver<axum::body::Bytes>,
    next: Instant,
}

impl Sender {
    async fn run(mut self, greeting: Vec<String>, shared: Arc<SharedState>) {
        for text in greeting {
            if !self.text(text).await {
                return;
            }
        }
        self.frames.mark_changed();
        let mut ping = tokio::time::interval(PING);
        loop {
            let (next, frames) = (self.next, &mut self.frames);
            let due = async move {
                sleep_until(next).await;
                frames.changed().await
            };
            let good = tokio::select! {
                biased;
                out = self.mine.recv() => match out {
                    Some(Out::Text(text)) => self.text(text).await,
                    Some(Out::Close(code, reason)) => {
                        self.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
                        false
                    }
                    None => false,
                },
                news = self.news.recv() => match news {
                    Ok(text) => self.text(text.to_string()).await,
                    // A slow page: what matters is told again.
                    Err(RecvError::Lagged(_)) => self.again(&shared).await,
                    Err(RecvError::Closed) => false,
                },
                changed = due => {
                    let frame = self.frames.borrow_and_update().clone();
                    changed.is_ok() && (frame.is_empty() || self.frame(frame, &shared).await)
                }
                _ = ping.tick() => self.send(Message::Ping(Default::default())).await,
            };
            if !good {
                return;
            }
        }
    }

    async fn frame(&mut self, frame: axum::body::Bytes, shared: &SharedState) -> bool {
        self.next = Instant::now() + FRAME;
        shared.counters.sent.fetch_add(1, Relaxed);
        self.send(Message::Binary(frame)).await
    }

    async fn again(&mut self, shared: &SharedState) -> bool {
        let texts = {
            let facts = locked(&shared.facts).clone();
            [facts.world, facts.recordings, facts.progress, facts.fatal]
        };
        let roles = locked(&shared.roles).say(std::time::Instant::now()).json();
        let mut good = self.text(roles).await;
        for text in texts.into_iter().flatten() {
            good = good && self.text(text.to_string()).await;
        }
        good
    }

    async fn text(&mut self, text: String) -> bool {
        self.send(Message::Text(Utf8Bytes::from(text))).await
    }

    async fn send(&mut self, message: Message) -> bool {
        matches!(timeout(PATIENCE, self.sink.send(message)).await, Ok(Ok(())))
    }
}

async fn listen(mut stream: SplitStream<WebSocket>, shared: &SharedState, page: u32, direct: &mpsc::Sender<Out>) {
    let mut nonsense = 0;
    loop {
        let Ok(message) = timeout(SILENCE, stream.next()).await else { return };
        let heard = match message {
            Some(Ok(Message::Text(text))) => parse_message(&text),
            Some(Ok(Message::Binary(_))) => Err("the page sent bytes: messages are JSON".into()),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Close(_))) | None => return,
            Some(Err(_)) => {
                let _ = direct.send(Out::Close(1009, "a message was too large or malformed")).await;
                return;
            }
        };
        let answer = match heard {
            Ok(heard) => act(heard, shared, page),
            Err(message) => {
                shared.counters.malformed.fetch_add(1, Relaxed);
                nonsense += 1;
                if nonsense > NONSENSE {
                    let _ = direct.send(Out::Close(1008, "too many messages made no sense")).await;
                    return;
                }
                Some(ServerMessage::Problem { message, fatal: false })
            }
        };
        if let Some(say) = answer
            && direct.send(Out::Text(say.json())).await.is_err()
        {
            return;
        }
    }
}

/// Does what a page wants, if it may; what there is to say to it alone.
fn act(heard: PageMessage, shared: &SharedState, page: u32) -> Option<ServerMessage> {
    let problem = |message: String| Some(ServerMessage::Problem { message, fatal: false });
    let (roles, now) = (|| locked(&shared.roles), std::time::Instant::now());
    if !matches!(heard, PageMessage::Ping { .. } | PageMessage::Ask {}) && roles().act(page, now) {
        shared.tell_roles();
    }
    match heard {
        PageMessage::Ping { sent } => return Some(ServerMessage::Pong { sent }),
        PageMessage::Ask {} => roles().ask(page, now),
        _ if !roles().holds(page) => return problem("another page holds the part: ask for it first".into()),
        PageMessage::Give { to } if !roles().give(to, now) => {
            return problem(format!("page {to} is not there any more"));
        }
        PageMessage::Give { .. } => {}
        PageMessage::Keep { from } => roles().keep(from),
        PageMessage::Drop {} => roles().let_go(now),
        heard => match control(heard, shared) {
            Ok(None) => return None,
            Ok(Some(request)) => return ask(request, shared).and_then(problem),
            Err(why) => return problem(why),
        },
    }
    shared.tell_roles();
    None
}

/// Does what the loop or the player of a recording can do at once; what is left for the director, or why it cannot be.
fn control(heard: PageMessage, shared: &SharedState) -> Result<Option<PageMessage>, String> {
    let mut control = locked(&shared.control);
    match (heard, &mut control.player) {
        (
            PageMessage::Hand { .. }
            | PageMessage::Grab { .. }
            | PageMessage::LetGo {}
            | PageMessage::Script {}
            | PageMessage::Demonstrate {},
            Some(_),
        ) => {}
        (PageMessage::Hand { seq, pose }, None) => control.hand(seq, pose),
        (PageMessage::Grab { body }, None) => control.grab(body)?,
        (PageMessage::LetGo {}, None) => control.command(|w| w.source = Source::Part),
        (PageMessage::Script {}, None) => control.command(|w| w.source = Source::Script),
        (PageMessage::Demonstrate {}, None) => control.command(|w| w.source = Source::Demonstration),
        (PageMessage::Time { paused, speed }, _) => control.time(paused, speed),
        (PageMessage::Step { ticks }, Some(player)) => player.step(ticks),
        (PageMessage::Step { ticks }, None) => control.command(|w| w.tempo.steps += ticks),
        (PageMessage::Seek { time }, Some(player)) => player.seek(time),
        (PageMessage::Seek { .. }, None) => {}
        (heard, _) => return Ok(Some(heard)),
    }
    Ok(None)
}

/// Asks the director, who lives as long as the server does; while it bakes, requests wait, but not without end.
fn ask(request: PageMessage, shared: &SharedState) -> Option<String> {
    match shared.requests.try_send(Some(request)) {
        Ok(()) => None,
        Err(TrySendError::Full(_)) => Some("too much was asked for at once: wait for what is under way".into()),
        Err(TrySendError::Disconnected(_)) => Some("the viewer is ending".into()),
    }
}
