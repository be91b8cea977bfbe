"""The questions of the pages: what each needs, how it is answered, and what that rests on."""
