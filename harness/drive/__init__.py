"""The driver: sends a scenario's rounds to a system, and reads only as far as it must to go on.

    driven = await drive(scenario, Target("http://127.0.0.1:9191/a2a"), "run1-da-09")

What may live here: requests, and how long to wait for what. Nothing is judged here: what the
system said is judged from what the recorder wrote. Whatever a system does, `drive` does not
raise; `DrivenRound` tells. Needs httpx and asyncio, loaded when it is imported. Rank 5.
"""

from harness.drive.conversation import drive
from harness.drive.values import Driven, DrivenRound, Question, Step, Target

__all__ = ["Driven", "DrivenRound", "Question", "Step", "Target", "drive"]
