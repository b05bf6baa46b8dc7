"""Mutants of source files: the operators are mutmut's and some for SQL, the sample is drawn by a seed.

Why not mutmut's own run: it changes only the bodies of functions without decorators, and the access rules and
the SQL are statements of modules; it leaves text of several lines alone, as the SQL is; it draws no sample;
and the same mutants have to run with two suites, or in two trees.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import libcst
from libcst.metadata import MetadataWrapper
from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
from mutmut.mutation.mutators import OPERATORS_TYPE, mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

_SQL: Final = re.compile(r"\b(SELECT|UPDATE|INSERT|DELETE)\b")
_SQL_CHANGES: Final[tuple[tuple[str, str], ...]] = (
    (r" = (?!\()", " <> "),
    (r" <> ", " = "),
    (r" <= ", " < "),
    (r" < ", " > "),
    (r" > ", " < "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" AND ", " OR "),
    (r" OR ", " AND "),
    (r"\bNOT ", ""),
    (r"\n +AND [^\n(]+(?=\n)", ""),
    (r" (FOR UPDATE|SKIP LOCKED)\b", ""),
    (r" DESC\b", ""),
)

_WEAKER: Final = {
    "SIGNED_IN": "PUBLIC",
    "READ": "PUBLIC",
    "WRITE": "READ",
    "SHARE": "READ",
    "ADMIN": "READ",
    "ACCOUNT": "SIGNED_IN",
    "INSTALLATION": "ADMIN",
    "WORKER": "PUBLIC",
    "END_THIS": "SIGNED_IN",
    "END_OWN": "ACCOUNT",
    "END_OF_TEAM": "ADMIN",
    "END_ANY": "INSTALLATION",
}
"""For a rule of `backend/api/access/rules.py`, one that lets more callers in, or ends no access."""
OWN_SHARE: Final = 3
"""One in so many mutants is of SQL or of an access rule, where a group has such."""


class _Visitor(MutationVisitor):
    """mutmut's visitor, also inside decorated functions: each mutant is a file, so no function is copied."""

    def _skip_node_and_children(self, node: libcst.CSTNode) -> bool:
        if isinstance(node, libcst.FunctionDef) and node.decorators:
            return False
        return bool(super()._skip_node_and_children(node))


def sql_operator(node: libcst.SimpleString | libcst.FormattedStringText) -> Iterator[libcst.CSTNode]:
    """The text with one operator, condition or clause of its SQL changed."""
    if not _SQL.search(node.value):
        return
    for pattern, new in _SQL_CHANGES:
        for match in re.finditer(pattern, node.value):
            yield node.with_changes(value=node.value[: match.start()] + new + node.value[match.end() :])


def rule_operator(node: libcst.DictElement) -> Iterator[libcst.CSTNode]:
    """A row of the access rules that asks for less."""
    if isinstance(node.value, libcst.Name) and node.value.value in _WEAKER:
        yield node.with_changes(value=libcst.Name(_WEAKER[node.value.value]))


_OWN_OPERATORS: Final[OPERATORS_TYPE] = [
    (libcst.SimpleString, sql_operator),
    (libcst.FormattedStringText, sql_operator),
    (libcst.DictElement, rule_operator),
]


@dataclass(frozen=True)
class Mutant:
    """A changed file: `lines` are those of the changed statement, `within` those of its function, if any."""

    path: str
    source: str
    diff: str
    lines: range
    within: range | None

    @property
    def name(self) -> str:
        """A short name that is the same in every tree with this statement."""
        return hashlib.sha256(f"{self.path}\n{self.diff}".encode()).hexdigest()[:12]


def sample(tree: Path, files: list[Path], seed: int, size: int) -> list[Mutant]:
    """`size` mutants of `files`: the first ones in an order that depends on the seed and each mutant alone.

    A file that changes so changes its own mutants only. A mutant that does not compile, or compiles to the
    same, is left out.
    """
    own = list(_draw(tree, files, seed, size // OWN_SHARE, _OWN_OPERATORS))
    return [*own, *_draw(tree, files, seed, size - len(own), mutation_operators)]


def _draw(tree: Path, files: list[Path], seed: int, size: int, operators: OPERATORS_TYPE) -> Iterator[Mutant]:
    ranked: list[tuple[str, Path, Callable[[], str]]] = []
    for path in files:
        for key, mutate in _mutations((tree / path).read_text(), operators):
            rank = hashlib.sha256(f"{seed}\n{path}\n{key}".encode()).hexdigest()
            ranked.append((rank, path, mutate))
    names: set[str] = set()
    for _, path, mutate in sorted(ranked, key=lambda entry: entry[0]):
        if len(names) == size:
            return
        mutant = _mutant(str(path), (tree / path).read_text(), mutate())
        if mutant is not None and mutant.name not in names:
            names.add(mutant.name)
            yield mutant


def _mutations(source: str, operators: OPERATORS_TYPE) -> Iterator[tuple[str, Callable[[], str]]]:
    """Each mutation of a file: a key that is stable while other statements change, and the changed source."""
    wrapper = MetadataWrapper(libcst.parse_module(source))
    visitor = _Visitor(operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    seen: Counter[str] = Counter()
    for mutation in visitor.mutations:
        old, new = mutation.original_node, mutation.mutated_node
        key = f"{module.code_for_node(old)}\n{module.code_for_node(new)}"
        seen[key] += 1
        yield f"{key}\n{seen[key]}", lambda old=old, new=new: deep_replace(module, old, new).code  # type: ignore[misc,union-attr]


def _mutant(path: str, original: str, source: str) -> Mutant | None:
    try:
        if ast.dump(ast.parse(source)) == ast.dump(ast.parse(original)):
            return None
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError:
        return None
    old, new = original.splitlines(keepends=True), source.splitlines(keepends=True)
    changed = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    first = next(first + 1 for kind, first, *_ in changed if kind != "equal")
    diff = "".join(difflib.unified_diff(old, new, path, path, n=0))
    return Mutant(path, source, diff, *_place(ast.parse(original), first))


def _place(module: ast.Module, line: int) -> tuple[range, range | None]:
    """The lines of the smallest statement that holds `line`, and of the outermost function around it."""
    statement = range(line, line + 1)
    function: range | None = None
    nodes: list[ast.AST] = [module]
    while nodes:
        node = nodes.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                continue
            lines = _lines(child)
            if line not in lines:
                continue
            body = getattr(child, "body", None)
            header = range(lines.start, body[0].lineno) if body else lines
            statement = header if line in header else lines
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and function is None:
                function = lines
            nodes.append(child)
    return statement, function


def _lines(node: ast.AST) -> range:
    if isinstance(node, ast.match_case):
        return range(node.pattern.lineno, node.body[-1].end_lineno + 1)  # type: ignore[operator]
    decorators = getattr(node, "decorator_list", [])
    start = min([node.lineno, *(entry.lineno for entry in decorators)])  # type: ignore[attr-defined]
    return range(start, node.end_lineno + 1)  # type: ignore[attr-defined]
