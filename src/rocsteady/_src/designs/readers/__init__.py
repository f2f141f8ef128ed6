"""Several readers judge the same cases under several modalities."""
