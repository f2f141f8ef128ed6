"""Terms of the sources, in their own languages, lead to their functions in every door."""

from __future__ import annotations

import csv
import re
import runpy
import unicodedata
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from sklearn.model_selection import LeaveOneOut

import rocsteady as rs
from cases import each_case
from rocsteady._src.base.foreign_names import line_instead
from rocsteady._src.base.source_terms import LANGUAGES, Term, every_term, find_term, near_term, plain
from rocsteady._src.measures.registry import REGISTRY, find_measure
from test_first_lines import GIVEN

mpl.use("Agg")
ROOT = Path(__file__).parent.parent
TERMS = every_term()
MEASURES = [term for term in TERMS if term.called in REGISTRY]
OTHERS = [term for term in TERMS if term.called not in REGISTRY]
LINES = sorted({term.line for term in TERMS})
IDS = {"ids": lambda value: value.word if isinstance(value, Term) else str(value)}


@each_case("line", LINES)
@pytest.mark.filterwarnings("ignore")
def test_the_line_of_a_term_works(line: str) -> None:
    assert eval(line, GIVEN | {"LeaveOneOut": LeaveOneOut}) is not None  # noqa: S307 - our own lines
    plt.close("all")


def test_every_source_has_a_page_of_terms() -> None:
    counts = {source: sum(term.source == source for term in TERMS) for source in LANGUAGES}
    assert min(counts.values()) >= 40
    assert len(MEASURES) >= 100


def test_a_term_means_one_thing() -> None:
    called: dict[str, set[str]] = {}
    for term in MEASURES:
        called.setdefault(plain(term.word), set()).add(term.called)
    assert not {word: names for word, names in called.items() if len(names) > 1}


@each_case("term", MEASURES, **IDS)
def test_a_term_is_a_name_of_its_measure(term: Term) -> None:
    if term.remark:
        vars(rs).pop(term.word, None)  # an attribute that was asked for is kept, and told of once
        with pytest.warns(rs.RocsteadyWarning, match="is another number"):
            assert getattr(rs, term.word) is REGISTRY[term.called]
        return
    for spelled in (term.word, term.word.upper(), without_marks(term.word), term.word.replace(" ", "_")):
        found = find_measure(spelled)
        assert found is not None, spelled
        assert found.sheet.name == REGISTRY[term.called].sheet.name
    if term.word.isidentifier():
        assert getattr(rs, term.word) is REGISTRY[term.called]


def without_marks(word: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", word) if not unicodedata.combining(each))


def answered_elsewhere(term: Term) -> bool:
    """Names that other libraries have too, or that are measures by another declaration, answer with those."""
    return find_measure(term.word) is not None or f"; {term.word} (" not in line_instead(term.word)


@each_case("term", [term for term in OTHERS if not answered_elsewhere(term)], **IDS)
def test_other_terms_answer_with_their_line(term: Term) -> None:
    known = find_term(term.word)
    assert known is not None
    with pytest.raises(AttributeError) as told:
        getattr(rs, term.word.replace(" ", "_"))
    assert str(told.value).endswith(f"; {known.answer}")
    with pytest.raises(rs.ArgumentError) as refused:
        rs.get_measure(term.word)
    assert str(refused.value).endswith(f"; {known.answer}")


INFLECTED = (
    "pasov zaupanja: pasovi zaupanja",
    "porazdelitve po razredih: porazdelitev po razredih",
    "funkcije razlike: funkcija razlike",
    "pogostostjo lažnega alarma: pogostost lažnega alarma",
    "privzeta klasifikatorja: privzeti klasifikator",
    "базовую долю: базовая доля",
    "индексом Джини: индекс Джини",
    "среднюю точность: средняя точность",
    "матрицы ошибок: матрица ошибок",
    "доли дефектных пар: доля дефектных пар",
    "punktem odcięcia: punkt odcięcia",
    "tablicy reklasyfikacji: tablica reklasyfikacji",
    "metodę reklasyfikacji: metoda reklasyfikacji",
    "błędu klasyfikacji: błąd klasyfikacji",
    "siły dyskryminacyjnej: siła dyskryminacyjna",
    "tabelo napak: tabela napak",
    "konveksno ovojnico: konveksna ovojnica",
    "prečnega preverjanja: prečno preverjanje",
    "pravilno zavrnitev: pravilna zavrnitev",
    "mikro povprečenja: mikro povprečenje",
)


TYPED_WITH_UNDERSCORES = (
    "tabele_napak: tabela napak",
    "krivulje_ROC: krivulja ROC",
    "ROC_krivuljo: krivulja ROC",
    "przestrzeni_ROC: przestrzeń ROC",
    "klasyfikatorze_dyskretnym: klasyfikator dyskretny",
    "mere_AUC: mera AUC",
    *(f"{word}: prag" for word in ("praga", "pragu", "prage", "pragom", "pragov")),
    "zadetka: zadetek",
    "порогом: порог",
    "среднее_гармоническое: гармоническое среднее",
    "среднее гармоническое (точности и полноты): гармоническое среднее",
    "delež_napačno_pozitivnih_napovedi: delež napačno pozitivnih",
    "reklasyfikowanych_↓: reklasyfikowanych ↓",
    "reklasyfikowanych: reklasyfikowanych",
    "S_-: S-",
    "vrednost_praga: prag",
    "true_negative: pravilno uvrščen negativni primer",
    "ROC_曲线置信带: 置信带",
    "95%CI_dla_NRI: 95%CI dla NRI",
)


@pytest.mark.parametrize("pair", TYPED_WITH_UNDERSCORES)
def test_what_can_be_typed_is_answered_in_python_and_in_the_shell(
    pair: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from rocsteady._src.views.cli.looking_up import measures

    asked, word = pair.split(": ")
    term = find_term(word)
    assert term is not None
    with pytest.raises(AttributeError) as told:
        getattr(rs, asked)
    assert str(told.value).endswith(f"; {term.answer}")
    measures(asked)
    shown = capsys.readouterr().out
    assert term.line in shown
    assert term.remark in shown


@each_case(
    "name",
    ["roc_curves", "robust", "merges", "aucs", "prauga", "score_values", "delež pozitivnih primerov"],
)
def test_other_names_are_not_taken_for_terms(name: str) -> None:
    assert near_term(name) is None


def test_unrelated_names_are_not_suggested() -> None:
    for name in ("mere_XYZ", "pragala", "zzzz_auc_zzzz"):
        with pytest.raises(AttributeError) as told:
            getattr(rs, name)
        assert "did you mean" not in str(told.value)


@pytest.mark.parametrize("word", ["模糊 ROC", "Bayesian ROC"])
def test_what_is_not_offered_is_said_with_what_is_nearest(word: str) -> None:
    term = find_term(word)
    assert term is not None
    assert line_instead(word) == f"; {term.answer}"
    assert f"is not offered; nearest is: {term.line}" in term.answer


def test_a_threshold_is_the_same_in_every_language() -> None:
    terms = [find_term(word) for word in ("prag", "порог", "阈值", "punkt odcięcia")]
    assert len({term.line for term in terms if term is not None}) == 1
    assert None not in terms


def test_areas_beside_the_diagonal_tell_which_they_are() -> None:
    perfect = rs.roc_curve([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
    assert str(perfect.diagonal_areas) == "(0.5, 0.0)"
    above, below = (find_term(word) for word in ("S+", "S-"))
    assert above is not None
    assert below is not None
    found = [eval(term.line, dict(GIVEN)) for term in (above, below)]  # noqa: S307 - our own lines
    assert rs.auc(GIVEN["y"], GIVEN["s"]) == pytest.approx(0.5 + found[0] - found[1])


@each_case("pair", INFLECTED)
def test_other_cases_of_a_term_are_answered_with_it(pair: str) -> None:
    asked, term = pair.split(": ")
    with pytest.raises(rs.ArgumentError) as told:
        rs.get_measure(asked)
    assert f"; {term} (" in str(told.value)


def test_few_terms_are_answered_elsewhere() -> None:
    assert {term.word for term in OTHERS if answered_elsewhere(term)} == set()


def test_stars_of_the_paper_are_its_two_curves() -> None:
    """They were dropped: the rate itself was the answer."""
    ends = {"FPrate_*": "low", "TPrate^*": "up"}
    for word, end in ends.items():
        assert near_term(word).line == f"rs.granular_roc(y, s, delta=0.02).{end}"
        assert find_measure(word) is None
    assert find_measure("TPrate") is REGISTRY["recall"]


DOORS: dict[str, Any] = {
    "evaluate": lambda name: rs.evaluate(GIVEN["y"], GIVEN["s"], measures=[name], threshold=0.5).columns,
    "bootstrap_interval": lambda name: rs.bootstrap_interval(name, GIVEN["y"], GIVEN["s"], n_resamples=20),
    "compare_measure": lambda name: rs.compare_measure(name, GIVEN["y"], GIVEN["s"], GIVEN["t"], n_resamples=20),
    "scorer": rs.scorer,
    "sweep": lambda name: rs.lab.sweep("1p 0.9p 0.3n 0n\n1p 0.9n 0.3p 0n", name, beta=[1, 7]),
    "count_errors": lambda name: rs.lab.count_errors("1p 0.9p 0.3n 0n\n1p 0.9n 0.3p 0n", [name]),
}


@each_case("name", ["softAUC", "SOFTAUC", "mehka AUC", "soft_auc"])
@each_case("door", DOORS)
@pytest.mark.filterwarnings("ignore")
def test_names_of_the_sources_open_every_door(door: str, name: str) -> None:
    assert DOORS[door](name) is not None


ALIASES = """ERR error_rate; SPC specificity; AUC-ROC auc; DP defective_pairs; TPrate recall; gauc -;
    FPrate false_positive_rate; ACC accuracy; PPV precision; sAUC scored_auc"""


@each_case(("asked", "name"), [pair.split() for pair in ALIASES.split(";")])
def test_symbols_of_the_sources(asked: str, name: str) -> None:
    if name == "-":
        with pytest.raises(rs.ArgumentError, match="low_auc and up_auc"):
            rs.get_measure(asked)
    else:
        assert rs.get_measure(asked).sheet.name == name


def test_pages_of_terms_are_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_sources.py"))["made"]()
    assert len(made) == 7
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/make_sources.py"


def test_the_readme_leads_to_the_terms_in_one_step() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "sources" / "terms.md").read_text(encoding="utf-8")
    assert "(docs/sources/terms.md)" in readme
    assert "(docs/sources/README.md)" in readme
    assert not [term.word for term in TERMS if term.word not in page or term.line not in page]


def test_links_between_pages_of_sources_lead_somewhere() -> None:
    for page in (ROOT / "docs" / "sources").glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)


def test_the_file_is_a_plain_table() -> None:
    path = ROOT / "src" / "rocsteady" / "_src" / "base" / "terms.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert {row["source"] for row in rows} == set(LANGUAGES)
    assert all(row["line"].startswith("rs.") for row in rows)
