"""Computes layers, networks and gradients with PyTorch, for the golden tests of nn and nn/train.

    python3 nn/testdata/golden.py

writes layers.golden, plain.net, marked.net and nets.golden beside itself and
grads.golden to ../train/testdata. The files in the repository were made with PyTorch
1.13.1. A .golden file holds arrays: for each a line with its name and length, then so
many little-endian float32. Everything is computed in float64 from inputs rounded to
float32, by the definitions of doc.go: the line convolution is a two-dimensional one,
with points beyond the edge in a plane of their own, and gradients are PyTorch's.
"""

import os
import struct
import zlib

import torch
import torch.nn.functional as F

torch.manual_seed(1)
here = os.path.dirname(os.path.abspath(__file__))
OWN, OTHER, OFF = range(3)


def random(*shape, scale=1.0):
    """Returns float64 numbers that float32 holds exactly."""
    return (torch.randn(*shape) * scale).float().double()


def write(path, arrays):
    with open(path, "wb") as f:
        for name, a in arrays.items():
            a = a.detach().float().flatten().contiguous()
            f.write(f"{name} {len(a)}\n".encode())
            f.write(a.numpy().astype("<f4").tobytes())


def nchw(x, h, w):  # [n][points][channels] -> [n][channels][h][w]
    return x.reshape(x.shape[0], h, w, -1).permute(0, 3, 1, 2)


def points(x):  # and back
    return x.permute(0, 2, 3, 1).reshape(x.shape[0], -1, x.shape[1])


def layer(out, name, f, **inputs):
    """Adds a layer's inputs, result, and gradients for a random one of the result."""
    for x in inputs.values():
        x.requires_grad_()
    y = f(**inputs)
    dy = random(*y.shape)
    y.backward(dy)
    for key, x in inputs.items():
        out[f"{name}.{key}"], out[f"{name}.d{key}"] = x, x.grad
    out[f"{name}.dst"], out[f"{name}.ddst"] = y, dy


def layers():
    out = {}
    n, h, w = 3, 7, 5
    layer(out, "conv", lambda src, weights: points(F.conv2d(nchw(src, h, w), weights.permute(3, 2, 0, 1), padding=1)),
          src=random(n, h * w, 8), weights=random(3, 3, 8, 24))
    layer(out, "depthwise", lambda src, weights: points(F.conv2d(nchw(src, h, w), weights.permute(2, 0, 1)[:, None], padding=1, groups=16)),
          src=random(n, h * w, 16), weights=random(3, 3, 16))
    layer(out, "dense", lambda src, weights, bias: F.relu(src @ weights + bias),
          src=random(5, 24), weights=random(24, 16), bias=random(16))
    layer(out, "addrelu", lambda a, b: F.relu(a + b), a=random(n, h * w, 8), b=random(n, h * w, 8))
    layer(out, "board", lambda src: torch.cat([src.mean(1), src.amax(1)], 1), src=random(n, h * w, 8))
    # Three regions of five points begin at 0, 2 and 3, of seven at 0, 2 and 5.
    ys, xs = [0, 2, 5, 7], [0, 2, 3, 5]
    layer(out, "regions", lambda src: torch.stack([nchw(src, h, w)[:, :, ys[i]:ys[i + 1], xs[j]:xs[j + 1]].mean((2, 3))
                                                   for i in range(3) for j in range(3)], 1), src=random(n, h * w, 8))
    write(os.path.join(here, "layers.golden"), out)


class Net:
    """A network of doc.go, with a set of weights for each side or one for both."""

    def __init__(self, reach, hidden, channels, dense, sides, marks):
        self.shape = (reach, hidden, channels, dense, sides, marks)
        h, c, d = hidden, channels, dense
        tensors = [("tap", (reach, 3, h), 2 * reach), ("center", (3, h), 2 * reach), ("mid", (h, h), h), ("mid bias", (h,), 10),
                   ("row", (h, c), 9 * h), ("row bias", (c,), 40), ("mark", (marks, c), 1), ("policy", (2, c), 2 * c),
                   ("v1", (2, c, d), 2 * c), ("b1", (d,), 10), ("v2", (d, d), d), ("b2", (d,), 10), ("v3", (d,), d), ("b3", (1,), 1), ("prior", (1,), 1)]
        self.sets = [{name: random(*shape, scale=(2 / fan) ** 0.5) for name, shape, fan in tensors} for _ in range(sides)]
        for s in self.sets:
            for t in s.values():
                t.requires_grad_()

    def write(self, name, rule):
        marks = self.shape[5]
        data = b"kuminet" + bytes([1 + marks, len(rule)]) + rule.encode()
        data += struct.pack(f"<{5 + marks}H", *self.shape[:5 + marks])
        for s in self.sets:
            for t in s.values():
                data += t.detach().float().numpy().astype("<f4").tobytes()
        with open(os.path.join(here, name), "wb") as f:
            f.write(data + struct.pack("<I", zlib.crc32(data)))

    def features(self, s, own, other, marked, rounded):
        """Returns f [channels][h][w] of a view, and the pool."""
        reach, hidden = self.shape[:2]
        inside = torch.ones_like(own)
        planes = torch.stack([F.pad(p, [reach] * 4, value=v) for p, v in ((own, 0), (other, 0), (1 - inside, 1))])

        def rows(planes, own, other):  # of the lines in each direction
            center = s["center"][0] + own[..., None] * (s["center"][1] - s["center"][0]) + other[..., None] * (s["center"][2] - s["center"][0])
            for dy, dx in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                kernel = torch.zeros(hidden, 3, 2 * reach + 1, 2 * reach + 1, dtype=torch.double)
                for k in range(1, reach + 1):
                    for sign in (-1, 1):
                        kernel[:, :, reach + sign * k * dy, reach + sign * k * dx] = s["tap"][k - 1].t()
                h1 = F.relu(F.conv2d(planes[None], kernel)[0].permute(1, 2, 0) + center)
                h2 = F.relu(h1 @ s["mid"] + s["mid bias"])
                row = (h2 @ s["row"] + s["row bias"]).clamp(-8, 8)
                yield torch.round(row * 1024) / 1024 if rounded else row

        total = sum(rows(planes, own, other))
        if self.shape[5]:
            mark = s["mark"][0].clamp(-8, 8)
            total = total + marked[..., None] * (torch.round(mark * 1024) / 1024 if rounded else mark)
        f = F.relu(total)
        nothing = torch.zeros(1, 1, dtype=torch.double)
        idle = F.relu(sum(rows(torch.zeros(3, 2 * reach + 1, 2 * reach + 1, dtype=torch.double), nothing, nothing)))
        return f, ((f - idle[0, 0]).sum((0, 1))) / 16

    def evaluate(self, stones, marked, side, prior, rounded=False):
        """Returns the value and the policy's logits [h][w] for a side."""
        s = self.sets[side % len(self.sets)]
        views = []
        for view in (side, 1 - side):
            views.append(self.features(self.sets[view % len(self.sets)], stones[view], stones[1 - view], marked, rounded))
        x = torch.cat([views[0][1], views[1][1]])
        v = F.relu(x @ s["v1"].reshape(-1, s["b1"].shape[0]) + s["b1"])
        v = F.relu(v @ s["v2"] + s["b2"])
        value = s["b3"][0] + v @ s["v3"] + s["prior"][0] * prior
        policy = views[0][0] @ s["policy"][0] + views[1][0] @ s["policy"][1]
        return value, policy


def position(h, w):
    cells = torch.randint(0, 5, (h, w))  # three of five points are empty
    stones = [(cells == 1).double(), (cells == 2).double()]
    return stones, (torch.rand(h, w) < 0.2).double()


def nets():
    out, grads = {}, {}
    for name, rule, net in (("plain", "freestyle", Net(4, 16, 8, 8, 1, 0)), ("marked", "renju", Net(3, 8, 8, 16, 2, 1))):
        net.write(name + ".net", rule)
        for size in ((15, 15), (20, 20), (6, 9)):
            stones, marked = position(*size)
            at = f"{name}.{size[0]}x{size[1]}"
            out[at + ".black"], out[at + ".white"], out[at + ".marked"] = *stones, marked
            for side in range(2):
                prior = random(1)[0]
                value, policy = net.evaluate(stones, marked, side, prior, rounded=True)
                out[f"{at}.prior{side}"], out[f"{at}.value{side}"], out[f"{at}.policy{side}"] = prior[None], value[None], policy

        # The loss of a batch: that of the value, and 0.3 times that of the policy. The
        # trainer itself finds the marked points, so they are its business here.
        losses = []
        for i in range(4):
            h, w = 6 + i, 9 - i
            stones, _ = position(h, w)
            side, prior, target = i % 2, random(1)[0], torch.rand(1).float().double()[0]
            value, policy = net.evaluate(stones, torch.zeros(h, w, dtype=torch.double), side, prior)
            empty = (stones[0] + stones[1] == 0).flatten()
            move = empty.nonzero()[torch.randint(0, int(empty.sum()), (1,))][0, 0]
            losses.append(F.binary_cross_entropy_with_logits(value, target)
                          - 0.3 * policy.flatten().masked_fill(~empty, -torch.inf).log_softmax(0)[move])
            at = f"{name}.{i}."
            for key, v in (("black", stones[0]), ("white", stones[1]), ("prior", prior[None]), ("target", target[None]), ("move", move[None].double())):
                grads[at + key] = v
        loss = torch.stack(losses).mean()
        loss.backward()
        grads[name + ".loss"] = loss[None]
        for i, s in enumerate(net.sets):
            for key, t in s.items():
                if t.numel():
                    grads[f"{name}.set{i}.{key}".replace(" ", "_")] = t.grad
    write(os.path.join(here, "nets.golden"), out)
    write(os.path.join(here, "..", "train", "testdata", "grads.golden"), grads)


layers()
nets()
