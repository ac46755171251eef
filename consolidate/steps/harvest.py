"""All that a run asks of its summariser, once, before its first pass decides anything (DESIGN section 3, promote)."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from consolidate.steps.candidates import Harvest, Progress, collect
from consolidate.steps.confirm import confirm_sample
from consolidate.steps.context import StepContext
from consolidate.steps.summarisers import Summariser
from consolidate.steps.summarisers.llm.summariser import ModelSummariser


def gather(
    db: apsw.Connection,
    scratch: str,
    context: StepContext,
    summariser: Summariser,
    cursor: Mapping[str, str],
    progress: Progress | None = None,
) -> Harvest:
    """Ask for candidates, have a sample of a model's candidates confirmed, and account for what that cost.

    Args:
        db: the shadow, before any step, with a scratch database attached.
        scratch: the schema name of the scratch database.
        context: the run.
        summariser: the callable to ask, per user.
        cursor: per ``user_key`` the digest at the last good run.
        progress: told after each user how many are done, and of how many.
    """
    model = summariser if isinstance(summariser, ModelSummariser) else None
    turn = context.run_id if model else None
    harvest = collect(db, scratch, context.settings.promote, summariser, cursor, context.now, turn, progress)
    if model is not None:
        if model.confirmer is not None:
            confirm_sample(db, scratch, context, harvest, model.confirmer, cursor, model.figures)
        harvest.notices += model.notices
        harvest.model = model.figures
        harvest.model.not_asked = harvest.not_asked.total()
    harvest.tell_of_not_asked()
    return harvest
