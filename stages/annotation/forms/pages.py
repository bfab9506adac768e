"""A form as each platform shows it: Label Studio's labelling configuration, and a page for Mechanical Turk."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

from stages.annotation.forms.form import NUMBER, TEXT, Block, Field, option_words, text_name
from stages.annotation.forms.kinds import PAGE, TaskKind, kinds_folder

_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_ECHO = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")


def label_studio_config(kind: TaskKind) -> str:
    """The labelling configuration of a project."""
    lines = [line for block in kind.form for line in _view(block, kind)]
    return "\n".join(["<View>", *(f"  {line}" for line in lines), "</View>"]) + "\n"


def _view(block: Block, kind: TaskKind) -> Iterator[str]:
    """A block whose controls are not always asked is a view of its own."""
    size = {"size": "5"} if block.when else {}
    inside = [_tag("Header", value=block.heading, **size, end="/")]
    inside += [line for field in block.fields for line in _shown_and_asked(field, kind)]
    if not block.when:
        yield from inside
        return
    ((control, choices),) = block.when.items()
    condition = {"whenTagName": control, "whenChoiceValue": ",".join(choices)}
    yield _tag("View", visibleWhen="choice-selected", **condition)
    yield from (f"  {line}" for line in inside)
    yield "</View>"


def _shown_and_asked(field: Field, kind: TaskKind) -> Iterator[str]:
    if field.note:
        yield _tag("Header", value=field.note, size="5", end="/")
    if field.label:
        yield _tag("Header", value=field.label, size="6", end="/")
    if field.show:
        yield _tag("Text", name=text_name(field.show), value=f"${field.show}", end="/")
    if not field.name:
        return
    required = {"required": "true"} if field.required else {}
    frame = {"name": field.name, "toName": text_name(kind.controls[field.name].about)}
    if field.kind == TEXT:
        about = {"maxSubmissions": str(field.most), "editable": "true", **required, "placeholder": field.example}
        yield _tag("TextArea", **frame, rows=str(field.rows), **about, end="/")
    elif field.kind == NUMBER:
        bounds = {"min": field.low, "max": field.high}
        known = {name: str(bound) for name, bound in bounds.items() if bound is not None}
        yield _tag("Number", **frame, **known, step="1", **required, end="/")
    else:
        number = "multiple" if field.most > 1 else "single"
        yield _tag("Choices", **frame, choice=number, showInline=str(field.inline).lower(), **required)
        for value, hint in field.options.items():
            # The worker reads the words; answers and conditions go by the alias.
            words = option_words(value)
            alias = {"alias": value} if words != value else {}
            yield "  " + _tag("Choice", value=words, **alias, **({"hint": hint} if hint else {}), end="/")
        yield "</Choices>"


def _tag(tag: str, /, end: str = "", **attributes: str) -> str:
    given = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{tag}{given}{end}>"


def mturk_page(kind: TaskKind) -> str:
    """The page around the form, with ${variable} where it shows one."""
    skeleton = (kinds_folder() / PAGE).read_text(encoding="utf-8")
    body = "\n".join(line for block in kind.form for line in _section(block))
    parts = {"title": html.escape(kind.settings.title), "guide": guide_html(kind.settings.guide), "body": body}
    return re.sub(r"\[\[([a-z]+)\]\]", lambda place: parts[place[1]], skeleton)


def fill_variables(page: str, values: Mapping[str, str]) -> str:
    """The page with its ${variable} places filled; values are taken as they are."""
    return _PLACE.sub(lambda place: values[place[1]], page)


def guide_html(guide: str) -> str:
    """The HTML of a guide, which knows headings, paragraphs and lists of one level."""
    return "\n".join(map(_block_html, re.split(r"\n\s*\n", guide.strip())))


def _block_html(block: str) -> str:
    if block.startswith("# "):
        return f"<h2>{html.escape(block[2:])}</h2>"
    if block.startswith("- "):
        entries = (html.escape(" ".join(entry.split())) for entry in re.split(r"^- ", block, flags=re.MULTILINE)[1:])
        return "<ul>" + "".join(f"<li>{entry}</li>" for entry in entries) + "</ul>"
    return f"<p>{html.escape(' '.join(block.split()))}</p>"


def _section(block: Block) -> Iterator[str]:
    heading = _VARIABLE.sub(r"${\1}", html.escape(block.heading))
    body = [line for field in block.fields for line in _rows(field)]
    if not any(field.name for field in block.fields):
        yield from (f"<h2>{heading}</h2>", *body)
        return
    asked = [f"{control}={','.join(choices)}" for control, choices in block.when.items()]
    when = "".join(f' data-when="{one}"' for one in asked)
    yield from (f"<fieldset{when}>", f"<legend>{heading}</legend>", *body, "</fieldset>")


def _rows(field: Field) -> Iterator[str]:
    if field.note:
        yield f"<p>{html.escape(field.note)}</p>"
    if field.so_far:
        lines = (_ECHO.sub(r'<span data-echo="\1"></span>', html.escape(line)) for line in field.so_far)
        entries = (f"<li>{line}</li>" for line in lines)
        yield from ('<div class="graph">', "<p>So far:</p>", "<ul>", *entries, "</ul>", "</div>")
    if field.show:
        label = [f"<p>{html.escape(field.label)}</p>"] if field.label else []
        name, box = ("div", "shown long") if field.long else ("p", "shown")
        yield from (*label, f'<{name} class="{box}">${{{field.show}}}</{name}>')
    if field.choice:
        yield from ([f"<p>{html.escape(field.label)}</p>"] if field.label else [])
        kind, required = ("checkbox", "") if field.most > 1 else ("radio", " required" * field.required)
        for value, hint in field.options.items():
            shown = f' name="{field.name}" value="{html.escape(value)}"{required}'
            yield f'<label><input type="{kind}"{shown}> {html.escape(_option(value, hint))}</label>'
    elif field.name:
        several = ", one a line" if field.most > 1 else ""
        example = f'\n<span class="hint">{html.escape(field.example)}</span>' if field.example else ""
        boxes = _box(field) + example
        yield f"<label>{html.escape(field.label)}{several}\n{boxes}</label>" if field.label else boxes


def _option(value: str, hint: str) -> str:
    name = option_words(value)
    return f"{name}: {hint[0].lower()}{hint[1:]}" if hint else name


def _box(field: Field) -> str:
    required = " required" * field.required
    if field.kind == NUMBER:
        bounds = {"min": field.low, "max": field.high}
        known = "".join(f' {name}="{bound}"' for name, bound in bounds.items() if bound is not None)
        return f'<input type="number" name="{field.name}"{known} step="1"{required}>'
    # A box that takes several texts takes them one a line.
    rows = max(field.rows, 2) if field.most > 1 else field.rows
    return f'<textarea name="{field.name}" rows="{rows}"{required}></textarea>'
