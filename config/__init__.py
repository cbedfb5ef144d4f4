"""Settings, routes, process wiring: the one package that knows all others."""

import gc

# Every process of ours comes by here first. Loading makes 200,000 objects and next to no garbage: looking for it after
# every 700 of them, as Python does, takes a fifth of a start.
gc.set_threshold(5_000, 20, 20)
