//! Schemas of the messages as protobuf's own `FileDescriptorSet`, written by hand: a build step and a code generator for seven small
//! messages would weigh more than these lines.
//!
//! Field numbers of Foxglove's messages follow its published schemas (`foxglove.PoseInFrame`, `foxglove.FrameTransform`).

use crate::proto::{put_bytes, put_number};
use crate::tables::ColumnTable;
use stiction::columns::ColumnKind;

/// Numbers of `FieldDescriptorProto.Type`.
const DOUBLE: u64 = 1;
const INT64: u64 = 3;
const UINT64: u64 = 4;
const INT32: u64 = 5;
const STRING: u64 = 9;
const MESSAGE: u64 = 11;

/// Schema of an exact message: its name and its descriptor set.
pub fn exact(table: ColumnTable) -> (String, Vec<u8>) {
    let mut message = Vec::new();
    put_bytes(1, table.message.as_bytes(), &mut message);
    for (column, number) in table.columns.iter().zip(1..) {
        let kind = if column.kind == ColumnKind::Real { DOUBLE } else { UINT64 };
        field(&column.name, number, kind, "", &mut message);
    }
    let mut set = Vec::new();
    file(&format!("stiction/{}.proto", table.message), "stiction", &[], &message, &mut set);
    (format!("stiction.{}", table.message), set)
}

/// Schema of one of Foxglove's messages that are used here.
pub fn foxglove(name: &str) -> (String, Vec<u8>) {
    let time = ("google/protobuf/timestamp.proto", ".google.protobuf.Timestamp");
    let (vector, quaternion) = ("foxglove/Vector3.proto", "foxglove/Quaternion.proto");
    let mut set = Vec::new();
    let mut add = |name: &str, package: &str, path: &str, needs: &[&str], fields: &[(&str, u64, &str)]| {
        let mut message = Vec::new();
        put_bytes(1, name.as_bytes(), &mut message);
        fields.iter().zip(1..).for_each(|((name, kind, of), number)| field(name, number, *kind, of, &mut message));
        file(path, package, needs, &message, &mut set);
    };
    add("Timestamp", "google.protobuf", time.0, &[], &[("seconds", INT64, ""), ("nanos", INT32, "")]);
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| (name, DOUBLE, ""));
    add("Vector3", "foxglove", vector, &[], &[x, y, z]);
    add("Quaternion", "foxglove", quaternion, &[], &[x, y, z, w]);
    let at = ("timestamp", MESSAGE, time.1);
    let place = |name| (name, MESSAGE, ".foxglove.Vector3");
    let turn = |name| (name, MESSAGE, ".foxglove.Quaternion");
    let path = format!("foxglove/{name}.proto");
    if name == "FrameTransform" {
        let frames = [("parent_frame_id", STRING, ""), ("child_frame_id", STRING, "")];
        let fields = [at, frames[0], frames[1], place("translation"), turn("rotation")];
        add(name, "foxglove", &path, &[quaternion, vector, time.0], &fields);
    } else {
        let pose = "foxglove/Pose.proto";
        add("Pose", "foxglove", pose, &[quaternion, vector], &[place("position"), turn("orientation")]);
        let fields = [at, ("frame_id", STRING, ""), ("pose", MESSAGE, ".foxglove.Pose")];
        add(name, "foxglove", &path, &[pose, time.0], &fields);
    }
    (format!("foxglove.{name}"), set)
}

/// Adds a `FieldDescriptorProto` to a `DescriptorProto`.
fn field(name: &str, number: u64, kind: u64, of: &str, message: &mut Vec<u8>) {
    const OPTIONAL: u64 = 1;
    let mut field = Vec::new();
    put_bytes(1, name.as_bytes(), &mut field);
    put_number(3, number, &mut field);
    put_number(4, OPTIONAL, &mut field);
    put_number(5, kind, &mut field);
    if !of.is_empty() {
        put_bytes(6, of.as_bytes(), &mut field);
    }
    put_bytes(2, &field, message);
}

/// Adds a `FileDescriptorProto` with one message to a `FileDescriptorSet`.
fn file(path: &str, package: &str, needs: &[&str], message: &[u8], set: &mut Vec<u8>) {
    let mut file = Vec::new();
    put_bytes(1, path.as_bytes(), &mut file);
    put_bytes(2, package.as_bytes(), &mut file);
    needs.iter().for_each(|needed| put_bytes(3, needed.as_bytes(), &mut file));
    put_bytes(4, message, &mut file);
    put_bytes(12, b"proto3", &mut file);
    put_bytes(1, &file, set);
}
