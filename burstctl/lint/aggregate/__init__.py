"""What all jobs of a pipeline together put on one fleet: terms, which of them may overlap, the heaviest sum."""
