"""Reads a recording by another library, which knows nothing of Stiction: every checksum, every message by the schema in the file.

By the index at the end and once more from the start; both must find the same. Started by run-mcap.
"""

import json
import sys
from collections import Counter

from mcap.reader import NonSeekingReader, SeekingReader
from mcap_protobuf.decoder import DecoderFactory


def values(message):
    """Fields that are set, as text, the first few."""
    fields = [f"{field.name}={value}" for field, value in message.ListFields() if field.message_type is None]
    fields += [field.name for field, _ in message.ListFields() if field.message_type is not None]
    return f"{len(message.DESCRIPTOR.fields)} fields: " + " ".join(fields[:5])


def read(make, path):
    """Counts by topic, first and last message of each, first and last log time."""
    counts, first, last, times = Counter(), {}, {}, []
    with open(path, "rb") as file:
        reader = make(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for schema, channel, message, decoded in reader.iter_decoded_messages():
            key = (channel.topic, schema.name)
            counts[key] += 1
            first.setdefault(key, decoded)
            last[key] = decoded
            times = [min([message.log_time, *times]), max([message.log_time, *times])]
    return counts, first, last, times


def main(path):
    counts, first, last, times = read(SeekingReader, path)
    streamed = read(NonSeekingReader, path)[0]
    if counts != streamed:
        sys.exit(f"by the index {dict(counts)}, from the start {dict(streamed)}")
    with open(path, "rb") as file:
        reader = SeekingReader(file, validate_crcs=True)
        summary = reader.get_summary()
        header = json.loads(next(reader.iter_attachments()).data)
    stated = {summary.channels[i].topic: n for i, n in summary.statistics.channel_message_counts.items()}
    if stated != {topic: n for (topic, _), n in counts.items()}:
        sys.exit(f"the summary says {stated}")
    print(f"header: {', '.join(f'{k}={header[k]}' for k in ('format', 'stiction', 'scene', 'device', 'method', 'rate_hz'))}")
    print(f"{summary.statistics.chunk_count} chunks, {sum(counts.values())} messages, {(times[1] - times[0]) / 1e9:.3f} s")
    for key in sorted(counts):
        print(f"{key[0]:10} {key[1]:24} {counts[key]:8}")
        print(f"    first  {values(first[key])}")
        print(f"    last   {values(last[key])}")


main(sys.argv[1])
