# `make help` lists the targets; docs/build.md explains the release build.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Additional flags of each build and test, for example --jobs 1.
SWIFT_BUILD_FLAGS ?=
# C libraries to link dynamically into the release binary: dbus-1 sqlite3 z expat stdc++.
SHARED ?=
# Duration of `make fuzz` per target in seconds.
SECONDS ?= 60
# Simulated duration of `make soak` in hours.
HOURS ?= 24
# Minimum line coverage in percent. If it is set, `make test` also measures coverage, as `make coverage` does.
COVERAGE_MIN ?=

BINARY = .build/release/stressmon
STATIC = .build/static
MAN = .build/man
# The folder in which the program looks for catalogues when it runs from .build.
CATALOGUES = .build/locale
LANGUAGES = $(basename $(notdir $(wildcard Sources/Localization/po/*.po)))
COMPLETIONS = .build/completions

RELEASE_BUILD = PKG_CONFIG_PATH="$(CURDIR)/$(STATIC)/pkgconfig:$$PKG_CONFIG_PATH" \
  $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath $$(cat $(STATIC)/flags) $(SWIFT_BUILD_FLAGS)

BIN_DIR = $(DESTDIR)$(PREFIX)/bin
LOCALE_DIR = $(DESTDIR)$(PREFIX)/share/locale
MAN_DIR = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_DIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_DIR = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_DIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# Found by udev below /usr and /usr/local, by users' managers there and below ~/.local.
UDEV_DIR ?= $(PREFIX)/lib/udev/rules.d
SYSTEMD_USER_DIR ?= $(PREFIX)/share/systemd/user
# The man pages refer to this folder.
DOC_DIR ?= $(PREFIX)/share/doc/stressmon
DOCS = $(wildcard docs/*.md)

.PHONY: help all deps static catalogues translations build demo test test-bluez oracles fuzz tokens lint format bench bench-year \
  soak coverage man completions install \
  install-service install-docs uninstall check-service clean

help:
	@echo "make demo         install dependencies, build, record a simulated strap into a database"
	@echo "make test         install dependencies, run all tests"
	@echo "make test-bluez   the release binary against the real bluetoothd in a virtual machine; NAME=... runs one scenario"
	@echo "make oracles      install the Python libraries with which make test verifies exported files"
	@echo "make fuzz         fuzz the decoders, SECONDS ($(SECONDS)) per target"
	@echo "make build        the release binary, $(BINARY)"
	@echo "make install      installs the binary, translations, man pages, documentation, completions, user service and udev"
	@echo "                  rules under PREFIX ($(PREFIX)); DESTDIR is for packagers; UDEV_DIR, SYSTEMD_USER_DIR and"
	@echo "                  DOC_DIR override single folders"
	@echo "make uninstall    removes the files that make install installs"
	@echo "make man          man pages in $(MAN)"
	@echo "make completions  completions of bash, zsh and fish in $(COMPLETIONS)"
	@echo "make check-service  verify the udev rules and the systemd unit; as root also run the unit"
	@echo "make catalogues   compiled translations in $(CATALOGUES)"
	@echo "make translations  add new texts of po/stressmon.pot to each language, untranslated"
	@echo "make tokens       Sources/Design/Tokens.swift from the design tokens"
	@echo "make lint         check the code format;  make format corrects it"
	@echo "make coverage     tests, then the covered lines of each module; fails below COVERAGE_MIN percent"
	@echo "make bench        CPU time and memory relative to plain C and to a Python client"
	@echo "make soak         CPU time and memory of a session of HOURS ($(HOURS)), a thousand times faster than real time"
	@echo "make bench-year   cost of reading a history of a year; creates it first, which takes minutes"
	@echo "make clean        remove everything that was built"

all: build

deps:
	@SWIFT="$(SWIFT)" Packaging/dependencies

# The archives of the C libraries, and the linker flags that select them.
static: deps
	@mkdir -p .build
	@Packaging/static-libraries $(STATIC) $(SHARED) > .build/static-flags
	@mv .build/static-flags $(STATIC)/flags

# gettext's catalogues (docs/translations.md).
catalogues: deps
	@for language in $(LANGUAGES); do \
	  mkdir -p $(CATALOGUES)/$$language/LC_MESSAGES && \
	  msgfmt --check-format --output-file=$(CATALOGUES)/$$language/LC_MESSAGES/stressmon.mo \
	    Sources/Localization/po/$$language.po || exit 1; \
	done

translations: deps
	@for language in $(LANGUAGES); do \
	  msgmerge --update --quiet --backup=none --no-fuzzy-matching --no-wrap Sources/Localization/po/$$language.po \
	    Sources/Localization/po/stressmon.pot && \
	  msgattrib --no-obsolete --no-wrap --output-file=Sources/Localization/po/$$language.po Sources/Localization/po/$$language.po \
	    || exit 1; \
	done

build: static catalogues
	$(RELEASE_BUILD) --product stressmon
	@Packaging/shared-libraries $(BINARY)

demo: build
	@Packaging/demo $(BINARY)

test: deps $(if $(COVERAGE_MIN),coverage)
	$(if $(COVERAGE_MIN),,$(SWIFT) test $(SWIFT_BUILD_FLAGS))

# Some scenarios only: NAME="scan live". The logs stay when one fails, or with KEEP=1.
test-bluez: build
	@Tests/RealBlueZ/run $(BINARY) $(if $(KEEP),--keep) $(NAME)

oracles:
	@Tests/Oracles/environment > /dev/null

# libFuzzer with the corpus of each target. With lld, because gold fails on its objects.
fuzz: deps
	STRESSMON_FUZZ=1 $(SWIFT) build --scratch-path .build/fuzz --product fuzz -Xswiftc -sanitize=fuzzer \
	  -Xswiftc -use-ld=lld $(SWIFT_BUILD_FLAGS)
	@Tests/fuzz .build/fuzz/debug/fuzz $(SECONDS)

# The design tokens as Swift source.
tokens:
	$(SWIFT) run design-tokens Sources/Design/tokens.json > .build/Tokens.swift
	$(SWIFT) format format .build/Tokens.swift --configuration .swift-format > Sources/Design/Tokens.swift

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks Research

format:
	$(SWIFT) format format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks Research

bench: build
	$(RELEASE_BUILD) --product EngineBenchmark
	$(RELEASE_BUILD) --product MetricsBenchmark
	$(RELEASE_BUILD) --product fake-bluez
	Benchmarks/run $(BINARY)

# A day of a session, from the bus to the disk, in a minute or two.
soak: static
	$(RELEASE_BUILD) --product Soak
	$(RELEASE_BUILD) --product fake-bluez
	@.build/release/Soak $(HOURS)

# Reads a history of a year, which is created first.
bench-year: build
	$(RELEASE_BUILD) --product YearBenchmark
	Benchmarks/run $(BINARY) year

coverage: deps
	@SWIFT="$(SWIFT)" COVERAGE_MIN=$(or $(COVERAGE_MIN),0) Tests/coverage $(SWIFT_BUILD_FLAGS)

man: build
	$(SWIFT) build --product generate-manual $(SWIFT_BUILD_FLAGS)
	@Packaging/manual $(BINARY) .build/debug/generate-manual $(MAN) $(DOC_DIR)

completions: build
	@mkdir -p $(COMPLETIONS)
	$(BINARY) --generate-completion-script bash > $(COMPLETIONS)/stressmon
	$(BINARY) --generate-completion-script zsh > $(COMPLETIONS)/_stressmon
	$(BINARY) --generate-completion-script fish > $(COMPLETIONS)/stressmon.fish

check-service: build
	Packaging/check-service $(BINARY)
	Packaging/try-service $(BINARY) || [ $$? = 77 ]

install: build man completions install-service install-docs
	install -D -m 0755 $(BINARY) "$(BIN_DIR)/stressmon"
	@for language in $(LANGUAGES); do \
	  install -D -m 0644 $(CATALOGUES)/$$language/LC_MESSAGES/stressmon.mo \
	    "$(LOCALE_DIR)/$$language/LC_MESSAGES/stressmon.mo" || exit 1; \
	done
	install -d "$(MAN_DIR)" && install -m 0644 $(MAN)/*.1 "$(MAN_DIR)"
	install -D -m 0644 $(COMPLETIONS)/stressmon "$(BASH_DIR)/stressmon"
	install -D -m 0644 $(COMPLETIONS)/_stressmon "$(ZSH_DIR)/_stressmon"
	install -D -m 0644 $(COMPLETIONS)/stressmon.fish "$(FISH_DIR)/stressmon.fish"

install-service:
	install -D -m 0644 udev/70-stressmon.rules "$(DESTDIR)$(UDEV_DIR)/70-stressmon.rules"
	install -d "$(DESTDIR)$(SYSTEMD_USER_DIR)"
	sed 's|@BINDIR@|$(PREFIX)/bin|' Packaging/systemd/stressmon.service.in > "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon.service"
	chmod 0644 "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon.service"

install-docs:
	install -d "$(DESTDIR)$(DOC_DIR)" && install -m 0644 $(DOCS) "$(DESTDIR)$(DOC_DIR)"

uninstall:
	rm -f $(foreach file,$(notdir $(DOCS)),"$(DESTDIR)$(DOC_DIR)/$(file)")
	[ ! -d "$(DESTDIR)$(DOC_DIR)" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(DOC_DIR)"
	rm -f "$(DESTDIR)$(UDEV_DIR)/70-stressmon.rules" "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon.service"
	rm -f "$(BIN_DIR)/stressmon" "$(MAN_DIR)/stressmon.1" "$(MAN_DIR)"/stressmon-*.1 "$(BASH_DIR)/stressmon" \
	  "$(ZSH_DIR)/_stressmon" "$(FISH_DIR)/stressmon.fish" \
	  $(foreach language,$(LANGUAGES),"$(LOCALE_DIR)/$(language)/LC_MESSAGES/stressmon.mo")

clean:
	rm -rf .build Benchmarks/.cache
