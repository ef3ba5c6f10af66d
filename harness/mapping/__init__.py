"""Events to interactions, as YAML says: knows no dialect and no runtime.

What may live here: the mapping language (`language`, `compile`), its compiled form
(`form`, `shipped`) and the engine that runs it. The only place of jsonpath-ng and of the
mapping YAML; both stay unloaded while only shipped mappings are used.
"""

from harness.mapping.collect import collect
from harness.mapping.engine import Mapper
from harness.mapping.form import Mapping
from harness.mapping.load import load

__all__ = ["Mapper", "Mapping", "collect", "load"]
