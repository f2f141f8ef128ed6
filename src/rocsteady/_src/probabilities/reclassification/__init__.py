"""Does the new model move people the right way? Tables, NRI, IDI."""
