"""How often does compare_curves reject when the curves are equal? Prints the table of the docs; a few minutes.

Scores are binormal with the same true curve for both models. "monotone" scores of the second model are exp of the
normal ones; "5 grades" cuts both into five ordered values; "5 grades, other" cuts only the second.
"""

from __future__ import annotations

import math

import numpy as np

from rocsteady._src.inference.comparison.curves import compare_curves

REPEATS, PERMUTATIONS, SEED = 1000, 199, 20
LEVELS = (0.05, 0.10)
CUTS = np.array([-0.5, 0.2, 0.9, 1.6])
SHAPES = ("continuous", "monotone", "5 grades", "5 grades, other")
SIZES = ((20, 20), (60, 40), (20, 180))


def draw(rng: np.random.Generator, sizes: tuple[int, int], correlation: float) -> tuple[np.ndarray, list[np.ndarray]]:
    """Labels and the scores of two equally good models."""
    y = np.repeat([1, 0], sizes)
    noise = rng.standard_normal((2, y.size))
    other = correlation * noise[0] + math.sqrt(1 - correlation**2) * noise[1]
    return y, [y + noise[0], y + other]


def shaped(scores: list[np.ndarray], shape: str) -> list[np.ndarray]:
    """Scores on the scale that is asked for; no shape changes the hypothesis of equal curves but the last."""
    if shape == "monotone":
        return [scores[0], np.exp(scores[1])]
    if shape == "5 grades":
        return [np.searchsorted(CUTS, score) for score in scores]
    return [scores[0], np.searchsorted(CUTS, scores[1])] if shape == "5 grades, other" else scores


def rejections(sizes: tuple[int, int], shape: str, *, paired: bool, repeats: int = REPEATS) -> list[float]:
    """Share of tests with p <= level, for each level."""
    rng = np.random.default_rng(SEED)
    found = np.empty(repeats)
    for repeat in range(repeats):
        y, scores = draw(rng, sizes, 0.5 if paired else 0.0)
        options = {"paired": paired, "n_permutations": PERMUTATIONS, "random_state": repeat}
        found[repeat] = compare_curves(y, *shaped(scores, shape), **options).pvalue
    return [float((found <= level).mean()) for level in LEVELS]


def main() -> None:
    error = math.sqrt(LEVELS[0] * (1 - LEVELS[0]) / REPEATS)
    print(f"{REPEATS} samples each, {PERMUTATIONS} permutations; standard error about {error:.3f}")
    print("| design | positives, negatives | scores | rejected at 0.05 | at 0.10 |\n|---|---|---|---|---|")
    for paired in (True, False):
        for sizes in SIZES:
            for shape in SHAPES:
                shares = " | ".join(f"{share:.3f}" for share in rejections(sizes, shape, paired=paired))
                print(f"| {'paired' if paired else 'unpaired'} | {sizes[0]}, {sizes[1]} | {shape} | {shares} |")


if __name__ == "__main__":
    main()
