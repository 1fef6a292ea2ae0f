# `make help` lists the targets. docs/design/build.md describes the release build.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Additional flags for each build and test, for example --jobs 1.
SWIFT_BUILD_FLAGS ?=
# C libraries that the release binary links dynamically: any of dbus-1 sqlite3 z expat stdc++.
SHARED ?=
# Duration of `make fuzz` per target.
SECONDS ?= 60
# Session time of `make soak` in hours.
HOURS ?= 24
# Minimum line coverage of the tests in percent. If set, `make test` measures it like `make coverage`.
COVERAGE_MIN ?=

BINARY = .build/release/stressmon
# The network commands (`stressmon serve`, `stressmon publish`).
NET_BINARY = .build/release/stressmon-net
STATIC = .build/static
MAN = .build/man
# The program reads its translations from here if it is run from .build.
CATALOGUES = .build/locale
LANGUAGES = $(basename $(notdir $(wildcard Sources/Localization/po/*.po)))
COMPLETIONS = .build/completions

RELEASE_BUILD = PKG_CONFIG_PATH="$(CURDIR)/$(STATIC)/pkgconfig:$$PKG_CONFIG_PATH" \
  $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath $$(cat $(STATIC)/flags) $(SWIFT_BUILD_FLAGS)

BIN_DIR = $(DESTDIR)$(PREFIX)/bin
LIBEXEC_DIR = $(DESTDIR)$(PREFIX)/libexec/stressmon
LOCALE_DIR = $(DESTDIR)$(PREFIX)/share/locale
MAN_DIR = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_DIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_DIR = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_DIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# udev reads rules below /usr and /usr/local; the user managers of systemd also read units below ~/.local.
UDEV_DIR ?= $(PREFIX)/lib/udev/rules.d
SYSTEMD_USER_DIR ?= $(PREFIX)/share/systemd/user
# The man pages refer to this directory.
DOC_DIR ?= $(PREFIX)/share/doc/stressmon
DOCS = $(patsubst docs/%,%,$(wildcard docs/*.md docs/*/*.md))

.PHONY: help all deps static catalogues translations build build-stressmon demo test test-bluez test-serve test-web test-outlets \
  oracles fuzz tokens lint format bench bench-year \
  soak coverage man completions install \
  install-service install-docs uninstall check-service clean

help:
	@echo "make demo           install the build dependencies, build, and run a simulated strap with a real database"
	@echo "make build          build the release binaries, $(BINARY) and $(NET_BINARY)"
	@echo "make test           install the build dependencies and run all tests"
	@echo "make test-bluez     test the release binary with the real bluetoothd in a virtual machine; NAME=... runs one scenario"
	@echo "make test-serve     attack the web server, resume its streams after kill -9, and check the API with schemathesis"
	@echo "make test-web       test the pages in chromium: accessibility, layout, keyboard, live values; ALL=1 tests every combination"
	@echo "make test-outlets   test the outlets with python-osc, brokers of MQTT and FIFOs, and measure their cost"
	@echo "make oracles        install the Python libraries with which make test reads exported files, in a separate directory"
	@echo "make fuzz           fuzz each parser with libFuzzer for SECONDS ($(SECONDS))"
	@echo "make coverage       run the tests and print the line coverage of each module; fail below COVERAGE_MIN percent"
	@echo "make lint           check the format of the code;  make format corrects it"
	@echo "make install        install the binary, translations, man pages, documentation, completions, user service and udev"
	@echo "                    rules under PREFIX ($(PREFIX)); DESTDIR is for packagers; UDEV_DIR, SYSTEMD_USER_DIR and"
	@echo "                    DOC_DIR override single directories"
	@echo "make uninstall      remove the files that make install installs"
	@echo "make check-service  verify the udev rules and the systemd unit; as root also run the unit"
	@echo "make man            generate the man pages in $(MAN)"
	@echo "make completions    generate the completions of bash, zsh and fish in $(COMPLETIONS)"
	@echo "make catalogues     compile the translations in $(CATALOGUES)"
	@echo "make translations   add new texts of po/stressmon.pot to each language, untranslated"
	@echo "make tokens         generate Sources/Design/Tokens.swift from the design tokens"
	@echo "make bench          compare CPU time and memory with plain C and with Python programs, as ratios"
	@echo "make bench-year     measure reading a history of one year; creates it first, which takes minutes"
	@echo "make soak           run a session of HOURS ($(HOURS)) at a thousand times real time; print CPU time and memory"
	@echo "make clean          remove all build products"

all: build

deps:
	@SWIFT="$(SWIFT)" Packaging/dependencies

# Archives of the C libraries, and the linker flags that select them.
static: deps
	@mkdir -p .build
	@Packaging/static-libraries $(STATIC) $(SHARED) > .build/static-flags
	@mv .build/static-flags $(STATIC)/flags

# Catalogues of gettext (docs/design/translations.md).
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

build: build-stressmon
	$(RELEASE_BUILD) --product stressmon-net
	@Packaging/shared-libraries $(NET_BINARY)

build-stressmon: static catalogues
	$(RELEASE_BUILD) --product stressmon
	@Packaging/shared-libraries $(BINARY)

demo: build
	@Packaging/demo $(BINARY)

test: deps $(if $(COVERAGE_MIN),coverage)
	$(if $(COVERAGE_MIN),,$(SWIFT) test $(SWIFT_BUILD_FLAGS))

# NAME="scan live" runs these scenarios only. The logs are kept if one fails, or with KEEP=1.
test-bluez: build-stressmon
	@Tests/RealBlueZ/run $(BINARY) $(if $(KEEP),--keep) $(NAME)

# The web server from outside, with the release binaries.
test-serve: build
	@Tests/Serve/run $(BINARY)

# The pages in a browser. SCREENSHOTS=DIR keeps a picture of each combination.
test-web: build
	@Tests/Web/run $(BINARY) $(if $(ALL),--all) $(if $(SCREENSHOTS),--screenshots "$(SCREENSHOTS)")

# The outlets from outside. BINARY=.build/debug/stressmon tests a debug build.
test-outlets: $(if $(filter .build/release/%,$(BINARY)),build)
	@Tests/Outlets/run $(BINARY)

oracles:
	@Tests/Oracles/environment > /dev/null

# libFuzzer with the corpus of each target. Uses lld, because gold fails on libFuzzer's objects.
fuzz: deps
	STRESSMON_FUZZ=1 $(SWIFT) build --scratch-path .build/fuzz --product fuzz -Xswiftc -sanitize=fuzzer \
	  -Xswiftc -use-ld=lld $(SWIFT_BUILD_FLAGS)
	@Tests/fuzz .build/fuzz/debug/fuzz $(SECONDS)

# Generates Swift source from the design tokens.
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

# A session of a day, from the bus to the disk, in one or two minutes.
soak: static
	$(RELEASE_BUILD) --product Soak
	$(RELEASE_BUILD) --product fake-bluez
	@.build/release/Soak $(HOURS)

# Creates a history of one year and measures the commands that read it.
bench-year: build
	$(RELEASE_BUILD) --product YearBenchmark
	Benchmarks/run $(BINARY) year

coverage: deps
	@SWIFT="$(SWIFT)" COVERAGE_MIN=$(or $(COVERAGE_MIN),0) Tests/coverage $(SWIFT_BUILD_FLAGS)

man: build
	$(SWIFT) build --product generate-manual $(SWIFT_BUILD_FLAGS)
	@Packaging/manual $(BINARY) .build/debug/generate-manual $(MAN) $(DOC_DIR)
	@Packaging/manual $(NET_BINARY) .build/debug/generate-manual $(MAN)/net $(DOC_DIR)
	@mv $(MAN)/net/*.1 $(MAN) && rmdir $(MAN)/net

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
	install -D -m 0755 $(NET_BINARY) "$(LIBEXEC_DIR)/stressmon-net"
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
	@for unit in stressmon.service stressmon-serve.service stressmon-publish.service; do \
	  sed 's|@BINDIR@|$(PREFIX)/bin|' Packaging/systemd/$$unit.in > "$(DESTDIR)$(SYSTEMD_USER_DIR)/$$unit" && \
	  chmod 0644 "$(DESTDIR)$(SYSTEMD_USER_DIR)/$$unit" || exit 1; \
	done

install-docs:
	@for page in $(DOCS); do install -D -m 0644 docs/$$page "$(DESTDIR)$(DOC_DIR)/$$page" || exit 1; done

uninstall:
	rm -f $(foreach page,$(DOCS),"$(DESTDIR)$(DOC_DIR)/$(page)")
	@for folder in /guide /reference /design ""; do \
	  [ ! -d "$(DESTDIR)$(DOC_DIR)$$folder" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(DOC_DIR)$$folder"; \
	done
	rm -f "$(DESTDIR)$(UDEV_DIR)/70-stressmon.rules" "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon.service" \
	  "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-serve.service" "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-publish.service"
	rm -f "$(LIBEXEC_DIR)/stressmon-net" && rmdir --ignore-fail-on-non-empty "$(LIBEXEC_DIR)" 2>/dev/null || true
	rm -f "$(BIN_DIR)/stressmon" "$(MAN_DIR)/stressmon.1" "$(MAN_DIR)"/stressmon-*.1 "$(BASH_DIR)/stressmon" \
	  "$(ZSH_DIR)/_stressmon" "$(FISH_DIR)/stressmon.fish" \
	  $(foreach language,$(LANGUAGES),"$(LOCALE_DIR)/$(language)/LC_MESSAGES/stressmon.mo")

clean:
	rm -rf .build Benchmarks/.cache
