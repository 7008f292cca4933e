"""How far a replay can be trusted, and why it wins more, in plain words."""

from gapfinder.units import percent

WITH_OTHERS = "because time that is lost to other causes goes with it"  # why a change saves more than a cause took


def unchanged(replay_error: float, step: str = "step") -> str:
    """How far the replay of the unchanged program is from what was measured."""
    differs = percent(abs(replay_error))
    if differs == percent(0):
        return f"replayed unchanged, the {step} takes as long as measured"
    return f"replayed unchanged, the {step} is {differs} {'longer' if replay_error > 0 else 'shorter'} than measured"
