# Everything happens in .venv beside this file; nothing else on the machine is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Two at a time, file by file (tests/selection/side_by_side.py); those that drive a browser stay one after another.
SINCE := HEAD
SIDE_BY_SIDE := -n 2 --dist loadgroup

.PHONY: app check test test-all test-torch bench pictures docs audit licences pinned clean

app: $(VENV)/.app ## install what the app needs, and open it
	$(BIN)/streamlit run app.py

test: $(VENV)/.test ## install what testing needs, and run the tests
	$(BIN)/python -m pytest $(SIDE_BY_SIDE)

check: $(VENV)/.test ## in two to three minutes, the tests nearest to what was changed since a commit
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not slow and not browser" --nearest $(SINCE) --for-minutes 2

test-all: $(VENV)/.test ## the same, with the tests that take long
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "slow or not slow"

test-torch: $(VENV)/.torch ## install PyTorch, too, and run the tests that need it
	$(BIN)/python -m pytest -m torch

bench: $(VENV)/.test ## what a slider move costs (needs Chromium)
	$(BIN)/python -m bench.response

pictures: $(VENV)/.test ## take the pictures of README and the guide anew (needs Chromium)
	$(BIN)/python -m docs.pictures

docs: $(VENV)/.docs ## make pages of all modules from their docstrings, in build/reference/
	$(BIN)/python docs/reference.py

audit: $(VENV)/.app $(VENV)/audit/.done ## ask PyPI whether a weakness of what the app runs on is known
	$(BIN)/python -m pip freeze --exclude-editable > $(VENV)/audit/installed.txt
	$(VENV)/audit/bin/pip-audit --strict --disable-pip --no-deps -r $(VENV)/audit/installed.txt

licences: $(VENV)/.app ## list what the app runs on in docs/licences.md
	$(BIN)/python docs/licences.py

pinned: | $(VENV)/pyvenv.cfg ## write the versions that are installed today into .ci/pinned.txt
	rm -rf $(VENV)/pinned
	$(BIN)/python -m venv $(VENV)/pinned
	$(VENV)/pinned/bin/python -m pip install --quiet -r requirements.txt ".[app,test,docs]"
	echo "# What tests on public machines can be pinned to (pip's constraints); made by: make pinned" > .ci/pinned.txt
	$(VENV)/pinned/bin/python -m pip freeze --exclude dpviz >> .ci/pinned.txt

$(VENV)/.app: requirements.txt | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet -r requirements.txt
	$(BIN)/python -m deploy.small_plotly
	-$(BIN)/python -m pip install --quiet "fonttools[woff]>=4.55,<5"
	$(BIN)/python -m deploy.small_fonts
	touch $@

$(VENV)/.test: pyproject.toml requirements.txt | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet -r requirements.txt -e ".[app,test,docs]"
	touch $@

$(VENV)/.docs: pyproject.toml requirements.txt | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet -r requirements.txt -e ".[app,docs]"
	touch $@

$(VENV)/.torch: pyproject.toml $(VENV)/.test
	$(BIN)/python -m pip install --quiet -e ".[torch,opacus]"
	touch $@

# In an environment of its own: what it needs is none of the app's business.
$(VENV)/audit/.done: | $(VENV)/pyvenv.cfg
	$(BIN)/python -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet "pip-audit>=2.7,<3"
	touch $@

$(VENV)/pyvenv.cfg:
	$(PYTHON) -c "import sys; sys.exit('dpviz needs Python 3.11 or newer' if sys.version_info < (3, 11) else 0)"
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV)
