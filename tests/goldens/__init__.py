"""What all pages and commands say and draw, recorded, so that a change of any of it is seen.

``python -m tests.goldens.record`` visits the states that ``recorded/`` names, and new pages, and
writes anew what they say; ``--show`` prints what differs and writes nothing. ``test_goldens.py``
holds the code to what is recorded; ``test_every_page.py`` holds that to what every page keeps to.

A file of ``recorded/`` has the states of one page or command: the link that is opened (or the
command that is run), what is done then, and everything that is seen after that. What several states
of a file share stands once at its end and is named by a hash. A state is added by hand, by its name
and its link or its command: ``=== NAME``, and ``open: PAGE?SETTINGS`` or ``run: COMMAND``.
"""
