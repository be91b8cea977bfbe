"""What privacy costs in accuracy: questions fixed beforehand, and what came out."""
