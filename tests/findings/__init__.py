"""The findings of Schuchardt et al., told from their figures, on the numbers that dpviz computes.

Where the print says more than holds, the tests assert what does hold and what does not. Three
readings occur:

- *one unit*: the bounds are attained, so an order of two curves is an order of two mechanisms;
- *like with like*: both sides composed mirrored, as the paper's figures are drawn. For several
  windows of a series this is neither an upper nor a lower bound;
- *strict*: an upper bound of one mechanism below an attained lower bound of the other. Only this
  one orders the mechanisms themselves.
"""
