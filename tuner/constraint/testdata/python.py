"""Makes python.json: what Python 3 computes for expressions at points.

    python3 testdata/python.py > testdata/python.json

Each case is an expression in our syntax, the values of its names, and either the value with its Python type or the
name of the exception. An integer beyond 64 bits and an infinite float are "overflow" to us.
"""
import itertools
import json
import math
import random

FUNCTIONS = {"ceil": math.ceil, "floor": math.floor, "min": min, "max": max, "abs": abs, "True": True, "False": False}
SPECIAL_INTS = [0, 1, -1, 2, -2, 3, -3, 4, 5, 7, -7, 8, 10, 16, 31, 32, 48, 64, 1000, 1 << 31, (1 << 31) - 1,
                -(1 << 31), (1 << 53), (1 << 53) + 1, (1 << 62), (1 << 63) - 1, -(1 << 63), 3037000500, 3037000499]
SPECIAL_FLOATS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, 3.25, -3.75, 0.1, 0.3, 1e16, -1e16, 9007199254740993.0,
                  1e308, 5e-324, 9.3e18]
HAND = [
    "a // b", "a / b", "a % b", "-a // b", "-a % b", "a ** 2", "2 ** abs(b)", "a ** 2 ** 1", "-2 ** 2", "2 ** -1 * a" if False else "a * b ** 2",
    "a < b < 10", "1 <= a <= b", "a == b == 1", "a < b == b", "a != b != a", "(a < b) == (b < 3)", "a < b < 3 <= 4",
    "not a == b", "not a < b and b > 1", "not (a == b)", "not a + b > 3", "not a < b < 3", "not not a == b",
    "not a in [1, 2]", "a not in [1, 2]", "a in [1, b, 3]", "a in []", "not a not in [b]",
    "a > 0 and b > 0 or a == b", "a > 0 or b > 0 and a == b", "b != 0 and a % b == 0", "b == 0 or a // b > 1",
    "min(a, b)", "max(a, b, 3)", "abs(a - b)", "ceil(a / 2)", "floor(a / 3)", "ceil(a)", "floor(-a / 4)",
    "(a + b - 1) // b", "a % (b / 2) == 0", "a * b <= 1024", "32 <= a * b <= 1024", "a - b - 1", "a - (b - 1)",
    "a // b // 2", "a // (b // 2)", "a / b / 2", "a * b % 7", "a % b * 7", "a + b * 2 - 3", "(a + b) * 2", "+a", "--a",
    "True == (a > b)", "(a > b) + (b > 1)", "(a > b) < 1", "a == 1.0", "a < 0.5", "0x10 + a", "1_000 * a", "1e3 + a",
    "max(a, 0.5)", "min(1, a / 2)", "a / b == a // b", "a ** b", "a / 0.1", "a // 0.3", "a % 0.3", "a % -0.3",
    "-a % 0.7", "a // -0.7",
]


def random_expression(rng, depth, names):
    if depth == 0:
        return rng.choice(names + [str(rng.choice(SPECIAL_INTS[:16])), str(rng.choice([0.5, 1.5, 2.0, 0.1]))])
    a, b = (random_expression(rng, rng.randrange(depth), names) for _ in range(2))
    form = rng.choice(["({a} + {b})", "{a} - ({b})", "({a}) * ({b})", "({a}) // ({b})", "({a}) / ({b})", "({a}) % ({b})",
                       "min({a}, {b})", "max({a}, {b})", "abs({a})", "ceil({a})", "floor({a})", "-({a})", "({a}) ** 2"])
    return form.format(a=a, b=b)


def random_condition(rng, depth, names):
    a, b, c = (random_expression(rng, 2, names) for _ in range(3))
    ops = ["<", "<=", ">", ">=", "==", "!="]
    if depth == 0:
        return rng.choice(["{a} {o} {b}", "{a} {o} {b} {p} {c}", "{a} in [{b}, {c}]", "{a} not in [{b}, {c}]"]).format(
            a=a, b=b, c=c, o=rng.choice(ops), p=rng.choice(ops))
    left, right = (random_condition(rng, rng.randrange(depth), names) for _ in range(2))
    return rng.choice(["{l} and {r}", "{l} or {r}", "not {l}", "({l}) and not ({r})", "({l}) == ({r})", "not ({l} or {r})"]).format(l=left, r=right)


def case(expression, values):
    entry = {"expr": expression, "values": {k: encode(v) for k, v in values.items()}}
    try:
        value = eval(expression.replace("`", "'"), {"__builtins__": {}}, {**FUNCTIONS, **values})
    except ZeroDivisionError:
        entry["error"] = "division by zero"
        return entry
    except OverflowError:
        entry["error"] = "overflow"
        return entry
    if isinstance(value, complex):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        entry["error"] = "overflow"
        return entry
    entry["value"] = encode(value)
    return entry


def encode(v):
    if isinstance(v, bool):
        return {"bool": v}
    if isinstance(v, int):
        return {"int": str(v)}
    if isinstance(v, float):
        return {"float": v.hex()}
    return {"string": v}


def main():
    rng = random.Random(1)
    cases = []
    for expression in HAND:
        for a, b in itertools.product(SPECIAL_INTS[:14], repeat=2):
            if rng.random() < 0.25:
                cases.append(case(expression, {"a": a, "b": b}))
        for _ in range(4):
            if "**" not in expression:
                cases.append(case(expression, {"a": rng.choice(SPECIAL_INTS), "b": rng.choice(SPECIAL_INTS)}))
                cases.append(case(expression, {"a": rng.choice(SPECIAL_FLOATS), "b": rng.choice(SPECIAL_FLOATS)}))
                cases.append(case(expression, {"a": rng.choice(SPECIAL_INTS), "b": rng.choice(SPECIAL_FLOATS)}))
    for i in range(3000):
        make = random_condition if i % 2 else random_expression
        expression = make(rng, 2, ["a", "b", "c"])
        values = {n: rng.choice(SPECIAL_INTS[:20]) for n in "abc"}
        if i % 5 == 0:
            values["c"] = rng.choice(SPECIAL_FLOATS)
        cases.append(case(expression, values))
    for expression in ["t == 'f16'", "t in ['f16', 'bf16'] and n > 1", "t != \"f16\"", "t < u", "t == u or n == 1", "t not in [u]"]:
        for t, u in itertools.product(["f16", "bf16", "", "f", "é"], repeat=2):
            cases.append(case(expression, {"t": t, "u": u, "n": 1}))
    for expression in ["p and not q", "p or q", "p == q", "p + q <= 1", "p and n == 1", "p == 1", "p < q", "not p == q", "n * p"]:
        for p, q in itertools.product([True, False], repeat=2):
            cases.append(case(expression, {"p": p, "q": q, "n": 3}))
    print("[")
    print(",\n".join(json.dumps(c) for c in cases if c))
    print("]")


main()
