"""`benchwright plan --cost`: what the build would cost, stage by stage, as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

from manifests.registry import builds_of
from manifests.storage import size
from pipelines.cli.hints import command
from pipelines.cli.options import Finite
from pipelines.cli.tables import table
from pipelines.cost import Forecast, Price, StageCost, smaller_than
from pipelines.model import Pipeline
from pipelines.published import need_build
from pipelines.runner import Runner
from stages.core.contract import StageError

_DEAREST = 1e6
# The stages whose records --entities and --pages count.
ENTITIES, PAGES = "wikidata.parse", "wikipedia.pages"
_HEADERS = ("stage", "core-hours", "from", "to", "disk GB", "shuffle GB", "memory GB", "price")


@dataclass(frozen=True)
class CostOptions:
    """What was asked of `plan --cost`. given: whether sources were named, of which sizes and published stages count."""

    cost: bool
    entities: int | None
    pages: int | None
    price: Price
    given: bool

    def check(self) -> None:
        """Raises StageError: an option that means nothing without --cost."""
        if not self.cost and (self.entities or self.pages or self.price != Price()):
            raise StageError("--entities, --pages, --core-price and --gb-price go with --cost")

    def forecast(self, runner: Runner, pipeline: Pipeline) -> Forecast:
        """Raises StageError: there is no whole build to take rates from."""
        base = need_build(runner.root, pipeline.dataset)
        if not base.complete:
            rest = command("build", pipeline.dataset, root=runner.root.base)
            raise StageError(f"--cost takes rates from a whole build, and this one stops early; run {rest} to its end")
        numbers = ((ENTITIES, self.entities), (PAGES, self.pages))
        steps = runner.plan(pipeline) if self.given else ()
        sized = pipeline.stages if self.given else ()
        return Forecast(
            base=base,
            smaller=smaller_than(base, [build for _, build in builds_of(runner.root, base.dataset)]),
            pipeline=pipeline,
            records={name: float(number) for name, number in numbers if number},
            source_bytes={one.name: float(sum(map(size, one.source.paths))) for one in sized if one.source},
            published={step.stage.name: step.manifest for step in steps if step.manifest is not None},
        )


_OPTIONS = (
    click.option("--cost", is_flag=True, help="What it would cost, by what the last build under the root has taken."),
    click.option("--entities", type=click.IntRange(min=1), metavar="N", help="With --cost: for so many entities."),
    click.option("--pages", type=click.IntRange(min=1), metavar="N", help="With --cost: for so many pages."),
    click.option(
        "--core-price", default=0.0, type=Finite(0, _DEAREST), metavar="N", help="With --cost: price of a core-hour."
    ),
    click.option(
        "--gb-price", default=0.0, type=Finite(0, _DEAREST), metavar="N", help="With --cost: price of a GB written."
    ),
)


def cost_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options, handed to the command as one `costs`."""

    @wraps(function)
    def command(*arguments: Any, **options: Any) -> Any:
        price = Price(options.pop("core_price"), options.pop("gb_price"))
        given = click.get_current_context().get_parameter_source("sources") != ParameterSource.DEFAULT
        costs = CostOptions(options.pop("cost"), options.pop("entities"), options.pop("pages"), price, given)
        costs.check()
        return function(*arguments, costs=costs, **options)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def shown(forecast: Forecast, price: Price, as_json: bool) -> str:
    """The forecast as text. Raises StageError: the build that it is made from says not enough."""
    costs = forecast.stages()
    if as_json:
        return json.dumps([{**asdict(cost), "price": cost.price(price)} for cost in costs], indent=1)
    rows = [_row(cost, price) for cost in costs]
    return "\n".join((table(_HEADERS, [*rows, _total(costs, price)]), "", *_said(forecast)))


def _row(cost: StageCost, price: Price) -> list[str]:
    hours = cost.core_seconds / 3600
    expected = [_number(one) for one in (hours, hours / cost.spread, hours * cost.spread)]
    sizes = [_number(one / 1e9) for one in (cost.disk, cost.shuffle, cost.memory)]
    return [f"{cost.stage}{' (built)' if cost.built else ''}", *expected, *sizes, _number(cost.price(price))]


def _total(costs: Sequence[StageCost], price: Price) -> list[str]:
    """Sums; of shuffles and memory the largest, as stages follow each other. Stages err together, so bounds add up."""
    hours = [(one.core_seconds / 3600, one.spread) for one in costs]
    expected = (
        sum(h for h, _ in hours),
        sum(h / spread for h, spread in hours),
        sum(h * spread for h, spread in hours),
    )
    sizes = (
        sum(one.disk for one in costs),
        max(one.shuffle for one in costs),
        max(one.memory for one in costs),
    )
    money = sum(one.price(price) for one in costs)
    return ["all", *map(_number, expected), *(_number(one / 1e9) for one in sizes), _number(money)]


def _said(forecast: Forecast) -> list[str]:
    base = forecast.base
    lines = [
        f"A forecast, from what the build {base.version} of {base.run.get('finished', '')} has taken on "
        f"{base.run.get('host', 'its machine')}: core-hours of work, without start and idle time of workers.",
    ]
    if forecast.smaller:
        lines.append(
            f"How figures grow with the input was taken from it and the smaller build {forecast.smaller.version}."
        )
    else:
        lines.append(
            "Figures are taken to grow as the input does. That holds for all of some topics; of every n-th record of a "
            "dump, joins keep a square or cube, and the forecast is far too low. A second build of another size under "
            "this root, or the first stages of the larger one (--until), mend that."
        )
    lines.append(
        "There is no upper bound: `to` is as far as the doubt reaches that is known of, and joins that find more than "
        "those of that build take more."
    )
    if forecast.published:
        lines.append("Stages marked as built are there, with what they did take; their tables stand in for forecasts.")
    return lines


def _number(value: float) -> str:
    """Three digits that count."""
    if value == 0:
        return "0"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 1e-3 else f"{value:.1e}"
