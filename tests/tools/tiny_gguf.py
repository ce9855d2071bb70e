#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a very small language model of random weights.

    tiny_gguf.py VOCABULARY.gguf MODEL.gguf

The vocabulary is a GGUF file of a SentencePiece tokenizer (ggml-vocab-llama-spm.gguf of
llama.cpp). Of its tokens those for single bytes and printable ASCII characters are kept,
some 350, so that a prompt takes about as many tokens as it has characters. The weights
of the quotation mark are larger than the others, so that it is often likely, and a string
under a JSON schema soon ends; those of bytes are smaller, so that replies are mostly
text. What they say is nonsense. The same for the same seed. Layout: GGUF, version 3
(docs/gguf.md of ggml).
"""
import random
import struct
import sys

LAYERS, WIDTH, HEADS, INNER, CONTEXT = 2, 64, 4, 128, 65536
ALIGNMENT = 32
U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
FORMS = {0: "B", 1: "b", 2: "H", 3: "h", U32: "I", I32: "i", F32: "f", BOOL: "?",
         10: "Q", 11: "q", 12: "d"}
TENSOR_F32, TENSOR_F16 = 0, 1


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def value(self, kind):
        if kind == STRING:
            length = self.take("Q")
            self.at += length
            return self.data[self.at - length:self.at]
        if kind == ARRAY:
            inner, n = self.take("I"), self.take("Q")
            return [self.value(inner) for _ in range(n)]
        return self.take(FORMS[kind])


def read_members(data):
    r = Reader(data)
    magic, version, n_tensors, n_members = (r.take(f) for f in "IIQQ")
    if magic != 0x46554747 or version != 3 or n_tensors:
        sys.exit("tiny_gguf: that is no vocabulary in GGUF, version 3")
    return {r.value(STRING).decode(): r.value(r.take("I")) for _ in range(n_members)}


def is_kept(number, token):
    """The first are unknown, begin, end and the bytes; U+2581 stands for a space."""
    text = token.decode()
    return number < 259 or text == "\u2581" or (len(text) == 1 and "!" <= text <= "~")


def pack(value):
    if isinstance(value, bool):
        return struct.pack("<I?", BOOL, value)
    if isinstance(value, int):
        return struct.pack("<II", U32, value)
    if isinstance(value, float):
        return struct.pack("<If", F32, value)
    if isinstance(value, bytes):
        return struct.pack("<IQ", STRING, len(value)) + value
    inner = {bytes: STRING, float: F32, int: I32}[type(value[0])]
    items = b"".join(pack(v)[4:] for v in value)
    return struct.pack("<IIQ", ARRAY, inner, len(value)) + items


def members_of(vocabulary):
    tokens = vocabulary["tokenizer.ggml.tokens"]
    kept = [i for i, token in enumerate(tokens) if is_kept(i, token)]
    members = {
        "general.architecture": b"llama", "general.name": b"tiny",
        "llama.context_length": CONTEXT, "llama.embedding_length": WIDTH,
        "llama.block_count": LAYERS, "llama.feed_forward_length": INNER,
        "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": WIDTH // HEADS, "llama.vocab_size": len(kept),
        # llama-server holds its own prompt against the grammar of a reply, and the
        # space that this tokenizer would put in front is not in it
        "tokenizer.ggml.add_space_prefix": False}
    for name in ("tokens", "scores", "token_type"):
        values = vocabulary["tokenizer.ggml." + name]
        members["tokenizer.ggml." + name] = [values[i] for i in kept]
    for name in ("model", "pre", "bos_token_id", "eos_token_id", "unknown_token_id",
                 "add_bos_token"):
        members["tokenizer.ggml." + name] = vocabulary["tokenizer.ggml." + name]
    return members


def weights(n, draw, doublings=0):
    """n halves of either sign between 1/16 and 1/8, or 2 to the doublings times that:
    random bits under one exponent."""
    mask = int.from_bytes(struct.pack("<H", 0x83FF) * n, "little")
    exponent = int.from_bytes(struct.pack("<H", (11 + doublings) << 10) * n, "little")
    return (draw.getrandbits(16 * n) & mask | exponent).to_bytes(2 * n, "little")


def output_of(tokens, draw):
    """A row for each token. Those of characters are four times as large as those of
    bytes, which are written as "<0x41>", and so far more likely."""
    def doublings(token):
        return 3 if token == b'"' else 2 if len(token) <= len("\u2581".encode()) else 0
    return b"".join(weights(WIDTH, draw, doublings(token)) for token in tokens)


def tensors_of(n_tokens):
    """(name, dimensions); vectors scale and are all ones."""
    yield "token_embd.weight", (WIDTH, n_tokens)
    yield "output_norm.weight", (WIDTH,)
    yield "output.weight", (WIDTH, n_tokens)
    for i in range(LAYERS):
        for name, dims in (("attn_norm", (WIDTH,)), ("ffn_norm", (WIDTH,)),
                           ("attn_q", (WIDTH, WIDTH)), ("attn_k", (WIDTH, WIDTH)),
                           ("attn_v", (WIDTH, WIDTH)), ("attn_output", (WIDTH, WIDTH)),
                           ("ffn_gate", (WIDTH, INNER)), ("ffn_up", (WIDTH, INNER)),
                           ("ffn_down", (INNER, WIDTH))):
            yield f"blk.{i}.{name}.weight", dims


def padded(data):
    return data + bytes(-len(data) % ALIGNMENT)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: tiny_gguf.py VOCABULARY.gguf MODEL.gguf")
    with open(sys.argv[1], "rb") as file:
        members = members_of(read_members(file.read()))
    draw = random.Random(1)
    infos, blobs, offset = [], [], 0
    for name, dims in tensors_of(members["llama.vocab_size"]):
        is_vector = len(dims) == 1
        if is_vector:
            blob = struct.pack("<f", 1) * dims[0]
        elif name == "output.weight":
            blob = output_of(members["tokenizer.ggml.tokens"], draw)
        else:
            blob = weights(dims[0] * dims[1], draw)
        blob = padded(blob)
        infos.append(pack(name.encode())[4:] + struct.pack(f"<I{len(dims)}Q", len(dims), *dims)
                     + struct.pack("<IQ", TENSOR_F32 if is_vector else TENSOR_F16, offset))
        blobs.append(blob)
        offset += len(blob)
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(infos), len(members))
    head += b"".join(pack(key.encode())[4:] + pack(value) for key, value in members.items())
    with open(sys.argv[2], "wb") as file:
        file.write(padded(head + b"".join(infos)) + b"".join(blobs))


main()
