"""Training: recipes, runs, checkpoints, costs."""
