#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a small language model of random weights.

    tiny_gguf.py VOCABULARY.gguf MODEL.gguf

The vocabulary is a GGUF file of the llama architecture without tensors. Its tokenizer
is kept and its sizes are replaced, so that the model is some 4 MB and answers at once,
with nonsense that is always the same for the same seed. A server that holds it to a
JSON schema answers with valid verdicts. Layout: GGUF, version 3 (ggml's docs/gguf.md).
"""
import random
import struct
import sys

LAYERS, WIDTH, HEADS, INNER, CONTEXT = 2, 64, 4, 128, 8192
ALIGNMENT = 32
U32, F32, STRING, ARRAY = 4, 6, 8, 9
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, U32: 4, 5: 4, F32: 4, 7: 1, 10: 8, 11: 8, 12: 8}
TENSOR_F32, TENSOR_F16 = 0, 1


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def string(self):
        length = self.take("Q")
        self.at += length
        return self.data[self.at - length:self.at]

    def skip(self, kind):
        if kind == STRING:
            self.string()
        elif kind == ARRAY:
            inner, n = self.take("I"), self.take("Q")
            if inner in SIZES:
                self.at += SIZES[inner] * n
            else:
                for _ in range(n):
                    self.skip(inner)
        else:
            self.at += SIZES[kind]


def string(text):
    return struct.pack("<Q", len(text)) + text


def tokenizer_of(data):
    """The members about the tokenizer as bytes, their number, and the tokens'."""
    r = Reader(data)
    magic, version, n_tensors, n_members = (r.take(f) for f in "IIQQ")
    if magic != 0x46554747 or version != 3 or n_tensors:
        sys.exit("tiny_gguf: that is no vocabulary in GGUF, version 3")
    kept, n_tokens = [], 0
    for _ in range(n_members):
        begin = r.at
        key, kind = r.string(), r.take("I")
        if key == b"tokenizer.ggml.tokens":
            n_tokens = struct.unpack_from("<Q", data, r.at + 4)[0]
        r.skip(kind)
        if key.startswith(b"tokenizer."):
            kept.append(data[begin:r.at])
    return b"".join(kept), len(kept), n_tokens


def sizes_of(n_tokens):
    numbers = {"context_length": CONTEXT, "embedding_length": WIDTH, "block_count": LAYERS,
               "feed_forward_length": INNER, "attention.head_count": HEADS,
               "attention.head_count_kv": HEADS, "rope.dimension_count": WIDTH // HEADS,
               "vocab_size": n_tokens}
    members = [string(b"general.architecture") + struct.pack("<I", STRING)
               + string(b"llama"),
               string(b"general.name") + struct.pack("<I", STRING) + string(b"tiny"),
               string(b"llama.attention.layer_norm_rms_epsilon")
               + struct.pack("<If", F32, 1e-5)]
    members += [string(b"llama." + key.encode()) + struct.pack("<II", U32, value)
                for key, value in numbers.items()]
    return b"".join(members), len(members)


def weights(n, draw):
    """n halves of either sign between 1/16 and 1/8: random bits under one exponent."""
    mask = int.from_bytes(struct.pack("<H", 0x83FF) * n, "little")
    exponent = int.from_bytes(struct.pack("<H", 11 << 10) * n, "little")
    return (draw.getrandbits(16 * n) & mask | exponent).to_bytes(2 * n, "little")


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
        tokenizer, n_kept, n_tokens = tokenizer_of(file.read())
    sizes, n_sizes = sizes_of(n_tokens)
    draw = random.Random(1)
    infos, blobs, offset = [], [], 0
    for name, dims in tensors_of(n_tokens):
        is_vector = len(dims) == 1
        blob = padded(struct.pack("<f", 1) * dims[0] if is_vector
                      else weights(dims[0] * dims[1], draw))
        infos.append(string(name.encode()) + struct.pack(f"<I{len(dims)}Q", len(dims), *dims)
                     + struct.pack("<IQ", TENSOR_F32 if is_vector else TENSOR_F16, offset))
        blobs.append(blob)
        offset += len(blob)
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(infos), n_sizes + n_kept)
    with open(sys.argv[2], "wb") as file:
        file.write(padded(head + sizes + tokenizer + b"".join(infos)) + b"".join(blobs))


main()
