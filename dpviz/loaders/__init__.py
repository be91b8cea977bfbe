"""Batches for other people's training loops, and whether theirs are what was accounted for."""

from dpviz.loaders.batch_sampler import (
    LoaderError,
    StructuredBatchSampler,
    WindowDataset,
    tensors,
)

__all__ = ["LoaderError", "StructuredBatchSampler", "WindowDataset", "tensors"]
