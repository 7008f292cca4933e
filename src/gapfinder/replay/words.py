"""How far a replay can be trusted, in plain words."""

from gapfinder.units import percent


def unchanged(replay_error: float, step: str = "step") -> str:
    """How far the replay of the unchanged program is from what was measured."""
    differs = percent(abs(replay_error))
    if differs == percent(0):
        return f"replayed unchanged, the {step} takes as long as measured"
    return f"replayed unchanged, the {step} is {differs} {'longer' if replay_error > 0 else 'shorter'} than measured"
