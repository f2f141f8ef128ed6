"""Laboratory: measure the measures, on small score sets and by the models they pick."""
