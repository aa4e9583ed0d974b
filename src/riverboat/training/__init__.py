"""From a recipe to a blueprint: cost, progress, checkpoints."""
