# SPDX-License-Identifier: MIT
"""Made-up answers of several systems of known strength, for the tests of what compares
many of them."""
import random

WORDS = "a plain answer with some words that say what is asked and a little more".split()


def answers(strengths, n_questions, seed, spread=.7, longest=40):
    """[question][system] -> (text, quality): each text says whose it is and is as long as
    chance wants."""
    draw = random.Random(seed)
    return [{name: (f"{name} says on {q}: " +
                    " ".join(draw.choice(WORDS) for _ in range(draw.randrange(4, longest))),
                    round(strength + draw.gauss(0, spread), 3))
             for name, strength in strengths.items()} for q in range(n_questions)]


def all_pairs(made, names=None):
    """A row for each question and two of the systems, in the order of their names."""
    rows = []
    for q, by_name in enumerate(made):
        chosen = sorted(names or by_name)
        for i, one in enumerate(chosen):
            for two in chosen[i + 1:]:
                rows.append({
                    "id": f"q{q}:{one}:{two}", "question": f"What about {q}?",
                    "answer_1": by_name[one][0], "answer_2": by_name[two][0],
                    "model_1": one, "model_2": two, "quality_1": by_name[one][1],
                    "quality_2": by_name[two][1]})
    return rows
