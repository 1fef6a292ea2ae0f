# `make help` lists the targets. docs/design/build.md describes the release build.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Additional flags for each build and test, for example --jobs 1.
SWIFT_BUILD_FLAGS ?=
# C libraries that the release binary links dynamically: any of dbus-1 sqlite3 z expat crypto stdc++.
SHARED ?=
# PIE=1 links a position-independent image.
PIE ?=
# Duration of `make fuzz` per target.
SECONDS ?= 60
# Session time of `make soak` in hours.
HOURS ?= 24
# Minimum line coverage of the tests in percent. If set, `make test` measures it like `make coverage`.
COVERAGE_MIN ?=

# The time of files in packages, for identical packages from the same commit.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)
export SOURCE_DATE_EPOCH
# Version of the Debian packages.
DEB_VERSION ?= $(VERSION)-1

VERSION = $(shell sed -n 's/^package let programVersion = "\(.*\)"/\1/p' Sources/Platform/VersionReport.swift)
BINARY = .build/release/stressmon
# The network commands (`stressmon serve`, `stressmon publish`, `stressmon sync`, `stressmon collect`).
NET_BINARY = .build/release/stressmon-net
STATIC = .build/static
MAN = .build/man
# The program reads its translations from here if it is run from .build.
CATALOGUES = .build/locale
# The build of make demo.
QUICK_BUILD = .build/quick
# stressmon-net reads the fonts of its pages from here if it is run from .build.
FONTS = .build/fonts
# Copyright notices and licences of everything that the programs contain.
NOTICE = .build/NOTICE
LANGUAGES = $(basename $(notdir $(wildcard Sources/Localization/po/*.po)))
COMPLETIONS = .build/completions
# Packages and tarballs.
DIST = .build/dist
# The apt repository, the fingerprint of the key that signs it, and its address.
REPOSITORY ?= .build/repository
KEY ?=
URL ?=
# The commit from which test-deb upgrades, and its packages. They are built once.
PREVIOUS ?= f7eef784
PREVIOUS_PACKAGES = .build/previous/$(PREVIOUS)
# The directory of the second build that deb-again compares.
ELSEWHERE = .build/elsewhere
# Programs other than those of the release build, for example of a debug build, are not built.
BUILT = $(if $(filter .build/release/%,$(BINARY)),build)

# With ASLR, the compiler does not generate the same code in each run.
WITHOUT_ASLR := $(shell setarch -R true 2>/dev/null && echo setarch -R)
RELEASE_BUILD = PKG_CONFIG_PATH="$(CURDIR)/$(STATIC)/pkgconfig:$$PKG_CONFIG_PATH" \
  $(WITHOUT_ASLR) $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=." \
  $$(cat $(STATIC)/flags) $(SWIFT_BUILD_FLAGS)

# generate-manual formats a date, which requires the data of ICU that the programs do not contain.
MANUAL_BUILD = $(subst cat $(STATIC)/flags,sed -E 's/-Xlinker --wrap=[^ ]+ -Xlinker [^ ]+//' $(STATIC)/flags,$(RELEASE_BUILD))

# With symbols.
SYMBOL_BUILD = $(subst cat $(STATIC)/flags,sed 's/-Xlinker -s$$//' $(STATIC)/flags,$(RELEASE_BUILD))

BIN_DIR = $(DESTDIR)$(PREFIX)/bin
LIBEXEC_DIR = $(DESTDIR)$(PREFIX)/libexec/stressmon
LOCALE_DIR = $(DESTDIR)$(PREFIX)/share/locale
FONT_DIR = $(DESTDIR)$(PREFIX)/share/stressmon/fonts
MAN_DIR = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_DIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_DIR ?= $(PREFIX)/share/zsh/site-functions
FISH_DIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# udev reads rules below /usr and /usr/local; the user managers of systemd also read units below ~/.local.
UDEV_DIR ?= $(PREFIX)/lib/udev/rules.d
SYSTEMD_USER_DIR ?= $(PREFIX)/share/systemd/user
# The man pages refer to this directory.
DOC_DIR ?= $(PREFIX)/share/doc/stressmon
NET_DOC_DIR ?= $(PREFIX)/share/doc/stressmon-net
# Configuration files of other programs that work together with the network commands.
EXAMPLES_DIR ?= $(NET_DOC_DIR)/examples
PACKAGE_LINKING = PIE=1 SHARED="dbus-1 sqlite3 z expat stdc++" STATIC=.build/shared
PACKAGE_FOLDERS = PREFIX=/usr ZSH_DIR=/usr/share/zsh/vendor-completions SYSTEMD_USER_DIR=/usr/lib/systemd/user
DOCS = $(patsubst docs/%,%,$(wildcard docs/*.md docs/*/*.md docs/reference/references.bib))
# Entries of desktops: the menu, the icon, the description, and the interface on the session bus.
SHARE_DIR = $(DESTDIR)$(PREFIX)/share
DESKTOP_FILES = applications/stressmon.desktop metainfo/org.stressmon.Stressmon.metainfo.xml \
  icons/hicolor/scalable/apps/stressmon.svg dbus-1/interfaces/org.stressmon.Stressmon1.xml
DESKTOP_EXAMPLES = $(notdir $(wildcard Examples/desktop/*))
EXAMPLES = $(patsubst Packaging/%,%,$(wildcard Packaging/fleet/* Packaging/nginx/*))
# Dashboards, alert rules, and programs that use the API and the outlets.
PROGRAM_EXAMPLES = $(patsubst Examples/%,%,$(wildcard Examples/grafana/* Examples/prometheus/* Examples/programs/* Examples/sources/*.py))
# JSON Schemas of the outputs.
SCHEMAS = $(notdir $(wildcard docs/reference/schema/*.json))
SCHEMA_DIR = $(SHARE_DIR)/stressmon/schema

.PHONY: help all deps pins notices test-servers static fonts catalogues translations build build-stressmon demo test test-library test-bluez test-serve test-web test-outlets test-schemas \
  fleet oracles test-metrics peer-metrics fuzz nightly tokens lint format bench bench-year symbol-order \
  soak coverage site man completions install install-files \
  install-service install-docs install-examples install-desktop uninstall check-service deb deb-files deb-again deb-elsewhere deb-compare package-programs repository pictures tarball \
  test-deb clean

help:
	@echo "make demo           install the build dependencies, build, and run a simulated strap with a real database"
	@echo "make build          build the release binaries, $(BINARY) and $(NET_BINARY)"
	@echo "make test           install the build dependencies and run all tests"
	@echo "make test-library   build the example of the libraries as a separate package, and compare its output"
	@echo "make test-bluez     test the release binary with the real bluetoothd in a virtual machine; NAME=... runs one scenario"
	@echo "make test-serve     attack the web server, resume its streams after kill -9, and check the API with schemathesis"
	@echo "make test-web       test the pages in chromium: accessibility, layout, keyboard, live values, first use; ALL=1 tests every combination"
	@echo "make test-outlets   test the outlets with python-osc, brokers of MQTT and FIFOs, and measure their cost"
	@echo "make test-schemas   validate the JSON output of all commands; REWRITE=1 writes docs/reference/schema and openapi.json"
	@echo "make fleet          run a fleet with failures: JetStream, PostgreSQL, 5 receivers with 10 simulated straps each (as root)"
	@echo "make oracles        install the Python libraries with which make test reads exported files, in a separate directory"
	@echo "make test-metrics   compare metrics with their definitions and studies with pandas; TEST=libraries compares with other programs"
	@echo "make peer-metrics   generate the table of docs/design/peer-metrics.md"
	@echo "make fuzz           fuzz each parser with libFuzzer for SECONDS ($(SECONDS))"
	@echo "make nightly        fuzz each parser for 60 s, run long schedules of failures of sync and of a fleet (the latter as root), test-metrics and Orca"
	@echo "make coverage       run the tests and print the line coverage of each module; fail below COVERAGE_MIN percent"
	@echo "make lint           check the format of the code;  make format corrects it"
	@echo "make install        install the binary, translations, man pages, documentation, completions, user service and udev"
	@echo "                    rules under PREFIX ($(PREFIX)); DESTDIR is for packagers; UDEV_DIR, SYSTEMD_USER_DIR and"
	@echo "                    DOC_DIR override single directories"
	@echo "make uninstall      remove the files that make install installs"
	@echo "make deb            write the Debian packages to $(DIST) and check them with lintian"
	@echo "make tarball        write the source and the release build as archives to $(DIST), with SHA-256 sums and an SBOM"
	@echo "make deb-again      build the packages in another directory and compare them with those of make deb"
	@echo "make repository     add the packages to a signed apt repository: KEY=FINGERPRINT URL=https://HOST/PATH"
	@echo "make test-deb       install, upgrade and purge the packages in a fresh Debian; run piuparts and autopkgtest"
	@echo "make check-service  verify the udev rules and the systemd unit; as root also run the unit"
	@echo "make site           build docs/ as a site with full-text search in .build/site, and check its links"
	@echo "make pictures       draw the pictures of README.md again, from simulated sessions"
	@echo "make man            generate the man pages in $(MAN)"
	@echo "make completions    generate the completions of bash, zsh and fish in $(COMPLETIONS)"
	@echo "make catalogues     compile the translations in $(CATALOGUES)"
	@echo "make fonts          create the fonts of the pages in $(FONTS), from packages of PyPI"
	@echo "make translations   add new texts of the sources to each language, untranslated"
	@echo "make pins           accept the versions of Swift packages that SwiftPM resolved (Sources/Platform/packages.txt)"
	@echo "make tokens         generate Sources/Design/Tokens.swift and the icon from the design tokens"
	@echo "make bench          compare CPU time and memory with plain C and with Python programs, as ratios"
	@echo "make bench-year     measure reading a history of one year; creates it first, which takes minutes"
	@echo "make symbol-order   record with valgrind which functions the linker places next to each other"
	@echo "make soak           run a session of HOURS ($(HOURS)) at a thousand times real time; print CPU time and memory"
	@echo "make clean          remove all build products"

all: build

deps:
	@SWIFT="$(SWIFT)" Packaging/dependencies
	@Packaging/pins

pins:
	@Packaging/pins update

# Archives of the C libraries, and the linker flags that select them.
static: deps
	@mkdir -p .build
	@SWIFT="$(SWIFT)" PIE=$(PIE) Packaging/static-libraries $(STATIC) $(SHARED) > .build/static-flags
	@mv .build/static-flags $(STATIC)/flags

# Fonts of the pages; without network access, the pages use those of the system.
fonts:
	@Packaging/fonts $(FONTS)

# Catalogues of gettext (docs/design/translations.md).
catalogues: deps
	@for language in $(LANGUAGES); do \
	  mkdir -p $(CATALOGUES)/$$language/LC_MESSAGES && \
	  msgfmt --check-format --output-file=$(CATALOGUES)/$$language/LC_MESSAGES/stressmon.mo \
	    Sources/Localization/po/$$language.po || exit 1; \
	done

# The template is written by a test, because a parser of Swift finds the texts.
translations: deps
	@STRESSMON_WRITE_TEMPLATE=1 $(SWIFT) test $(SWIFT_BUILD_FLAGS) --filter CatalogueTests/templateIsWritten > /dev/null
	@for language in $(LANGUAGES); do \
	  msgmerge --update --quiet --backup=none --no-fuzzy-matching --no-wrap Sources/Localization/po/$$language.po \
	    Sources/Localization/po/stressmon.pot && \
	  msgattrib --no-obsolete --no-wrap --output-file=Sources/Localization/po/$$language.po Sources/Localization/po/$$language.po \
	    || exit 1; \
	done

build: build-stressmon fonts
	$(RELEASE_BUILD) --product stressmon-net
	@Packaging/shared-libraries $(NET_BINARY)

build-stressmon: static catalogues
	$(RELEASE_BUILD) --product stressmon
	@Packaging/pins check
	@Packaging/shared-libraries $(BINARY)

# Without optimisation, which takes two thirds of the time of a build, also of the modules that the tests optimize.
demo: deps catalogues
	$(SWIFT) build -c release -Xswiftc -Onone -Xswiftc -Xfrontend -Xswiftc -Onone --scratch-path $(QUICK_BUILD) $(SWIFT_BUILD_FLAGS) --product stressmon
	@TEXTDOMAINDIR=$(CURDIR)/$(CATALOGUES) Packaging/demo $(QUICK_BUILD)/release/stressmon

# The servers of the tests of fleets; without them, these tests are reported as skipped.
test-servers:
	@Tests/Fleet/install

test: deps test-servers $(if $(COVERAGE_MIN),coverage)
	$(if $(COVERAGE_MIN),,SWIFT="$(SWIFT)" Tests/all $(SWIFT_BUILD_FLAGS))

# The libraries in a separate package (docs/reference/library.md).
test-library: deps
	@SWIFT="$(SWIFT)" Tests/library $(SWIFT_BUILD_FLAGS)

# NAME="scan live" runs these scenarios only. The logs are kept if one fails, or with KEEP=1.
test-bluez: build-stressmon
	@Tests/RealBlueZ/run $(BINARY) $(if $(KEEP),--keep) $(NAME)

# The web server from outside, with the release binaries.
test-serve: build
	@Tests/Serve/run $(BINARY)

# The pages in a browser. SCREENSHOTS=DIR keeps a picture of each combination.
test-web: build
	$(RELEASE_BUILD) --product fake-bluez
	@Tests/Web/run $(BINARY) $(if $(ALL),--all) $(if $(SCREENSHOTS),--screenshots "$(SCREENSHOTS)")

# The outlets from outside. BINARY=.build/debug/stressmon tests a debug build.
test-outlets: $(if $(filter .build/release/%,$(BINARY)),build)
	@Tests/Outlets/run $(BINARY)

test-schemas: $(if $(filter .build/release/%,$(BINARY)),build)
	@python=$$(Tests/Outlets/environment) && $$python Tests/Schemas/schemas.py $(BINARY) $(if $(REWRITE),--rewrite)

# A fleet with failures in network namespaces, as root. TEST=schedules runs 20 schedules of random failures, or as many as
# STRESSMON_FLEET_SCHEDULES says.
fleet: $(if $(filter .build/release/%,$(BINARY)),build)
	@Tests/Fleet/run $(BINARY) $(or $(TEST),demo) $(OPTIONS)

oracles:
	@Tests/Oracles/environment > /dev/null

# Metrics by their definitions and by other libraries, and studies. TEST=libraries needs minutes.
test-metrics: $(if $(filter .build/release/%,$(BINARY)),build)
	@Tests/Oracles/run $(BINARY) $(TEST)

# The table of docs/design/peer-metrics.md, with the recordings of STRESSMON_TEST_DATA.
peer-metrics: $(if $(filter .build/release/%,$(BINARY)),build)
	@Tests/Oracles/run $(BINARY) table

# libFuzzer with the corpus of each target. Uses lld, because gold fails on libFuzzer's objects.
fuzz: deps
	STRESSMON_FUZZ=1 $(SWIFT) build --scratch-path .build/fuzz --product fuzz -Xswiftc -sanitize=fuzzer \
	  -Xswiftc -use-ld=lld $(SWIFT_BUILD_FLAGS)
	@Tests/fuzz .build/fuzz/debug/fuzz $(SECONDS)

# Tests that take too long for each change: 100,000 schedules of sync in memory, 200 of sync with SQLite, 200 with SQLite and
# forgotten devices, and 200 of a fleet; 8,000 weekly digests of journals without an association; all metrics of other libraries,
# 200 studies without an effect, and 10,000 simulations of each process for the interval of DFA alpha1.
nightly:
	@$(MAKE) --no-print-directory fuzz SECONDS=60
	STRESSMON_SYNC_SCHEDULES=100000 STRESSMON_SYNC_SQLITE_SCHEDULES=200 \
	  STRESSMON_SYNC_SQLITE_FORGET_SCHEDULES=200 \
	  $(SWIFT) test $(SWIFT_BUILD_FLAGS) --filter 'SyncSimulationTests|StoredSimulationTests'
	STRESSMON_DIGEST_PEOPLE=1000 $(SWIFT) test $(SWIFT_BUILD_FLAGS) --filter DigestFactorTests
	STRESSMON_FLEET_SCHEDULES=200 $(MAKE) --no-print-directory fleet TEST=schedules
	$(MAKE) --no-print-directory test-metrics TEST='libraries seeds'
	$(if $(BUILT),$(MAKE) --no-print-directory build)
	Tests/Web/run $(BINARY) --orca || [ $$? = 77 ]
	$(SWIFT) run -c release $(SWIFT_BUILD_FLAGS) AlphaFigures

# Generates Swift source and the icon from the design tokens.
tokens:
	$(SWIFT) run design-tokens Sources/Design/tokens.json > .build/Tokens.swift
	$(SWIFT) run design-tokens Sources/Design/tokens.json icon > Packaging/desktop/stressmon.svg
	cp Packaging/desktop/stressmon.svg Sources/Dashboard/Assets/icon.svg
	$(SWIFT) format format .build/Tokens.swift --configuration .swift-format > Sources/Design/Tokens.swift

lint:
	@Packaging/check-recipes $(VERSION)
	@Packaging/check-desktop || [ $$? = 77 ]
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks Research docs

format:
	$(SWIFT) format format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks Research docs

bench: build
	$(RELEASE_BUILD) --product EngineBenchmark
	$(RELEASE_BUILD) --product MetricsBenchmark
	$(RELEASE_BUILD) --product fake-bluez
	Benchmarks/run $(BINARY)

# Records which functions the linker places next to each other, with valgrind. Another build then uses the list.
symbol-order: static catalogues
	$(SYMBOL_BUILD) --product stressmon
	$(RELEASE_BUILD) --product fake-bluez
	@Packaging/symbol-order $(BINARY) $(dir $(BINARY))fake-bluez > .build/symbol-order.txt
	@mv .build/symbol-order.txt Packaging/symbol-order.txt

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

# The pictures of README.md, from simulated sessions. Needs tmux, chromium and PyPI.
pictures: $(BUILT)
	@Packaging/pictures $(BINARY)

# Needs Python and PyPI.
site:
	@Packaging/site/build

man: $(BUILT)
	$(if $(BUILT),$(MANUAL_BUILD),$(SWIFT) build) --product generate-manual
	@Packaging/manual $(BINARY) $(dir $(BINARY))generate-manual $(MAN) $(DOC_DIR)
	@Packaging/manual $(NET_BINARY) $(dir $(BINARY))generate-manual $(MAN)/net $(DOC_DIR)
	@mv $(MAN)/net/*.1 $(MAN) && rmdir $(MAN)/net

completions: $(BUILT)
	@mkdir -p $(COMPLETIONS)
	LC_ALL=C $(BINARY) --generate-completion-script bash | sed '1{/^#!/d}' > $(COMPLETIONS)/stressmon
	LC_ALL=C $(BINARY) --generate-completion-script zsh > $(COMPLETIONS)/_stressmon
	LC_ALL=C $(BINARY) --generate-completion-script fish > $(COMPLETIONS)/stressmon.fish

check-service: build
	Packaging/check-service $(BINARY)
	Packaging/try-service $(BINARY) || [ $$? = 77 ]

notices: $(BUILT)
	@SWIFT="$(SWIFT)" Packaging/notices $(dir $(BINARY)) $(STATIC) > $(NOTICE)

install: $(BUILT) catalogues man completions notices
	@$(MAKE) --no-print-directory install-files

# Installs what is built.
install-files: install-service install-docs install-examples install-desktop
	install -D -m 0755 $(BINARY) "$(BIN_DIR)/stressmon"
	install -D -m 0755 $(NET_BINARY) "$(LIBEXEC_DIR)/stressmon-net"
	install -D -m 0644 $(NOTICE) "$(DESTDIR)$(DOC_DIR)/NOTICE"
	install -D -m 0644 $(NOTICE) "$(DESTDIR)$(NET_DOC_DIR)/NOTICE"
	@for language in $(LANGUAGES); do \
	  install -D -m 0644 $(CATALOGUES)/$$language/LC_MESSAGES/stressmon.mo \
	    "$(LOCALE_DIR)/$$language/LC_MESSAGES/stressmon.mo" || exit 1; \
	done
	install -d "$(FONT_DIR)"
	@[ ! -d $(FONTS) ] || install -m 0644 $(FONTS)/* "$(FONT_DIR)"
	install -d "$(MAN_DIR)" && install -m 0644 $(MAN)/*.1 "$(MAN_DIR)"
	install -D -m 0644 $(COMPLETIONS)/stressmon "$(BASH_DIR)/stressmon"
	install -D -m 0644 $(COMPLETIONS)/_stressmon "$(DESTDIR)$(ZSH_DIR)/_stressmon"
	install -D -m 0644 $(COMPLETIONS)/stressmon.fish "$(FISH_DIR)/stressmon.fish"

# Debian packages. Their programs differ from the release build only in linking: position-independent, and with Debian's
# libraries.
package-programs:
	@$(MAKE) --no-print-directory $(PACKAGE_LINKING) $(if $(filter stressmon,$(PRODUCTS)),build-stressmon,build)

deb:
	@$(MAKE) --no-print-directory $(PACKAGE_LINKING) $(PACKAGE_FOLDERS) deb-files

deb-files: $(BUILT) catalogues man completions notices
	@Packaging/deb "$(DEB_VERSION)" $(DIST) make --no-print-directory -C "$(CURDIR)" install-files BINARY=$(BINARY) \
	  NET_BINARY=$(NET_BINARY) $(PACKAGE_FOLDERS)
	@Packaging/sbom $(DEB_VERSION) $(dir $(BINARY)) $(STATIC) > $(DIST)/stressmon_$(DEB_VERSION)_amd64.spdx.json

# The source, and the release build as files below a prefix, for other distributions.
tarball: build
	@rm -rf .build/tarball
	@$(MAKE) --no-print-directory install DESTDIR=.build/tarball PREFIX=/usr/local > .build/tarball.log
	@mkdir -p $(DIST)
	@Packaging/sbom $(VERSION) $(dir $(BINARY)) $(STATIC) > $(DIST)/stressmon-$(VERSION)-linux-$$(uname -m).spdx.json
	@Packaging/tarball $(VERSION) .build/tarball/usr/local $(DIST)
	@Packaging/check-recipes $(VERSION)

# Builds the packages again in another directory, which takes as long as the first time, and compares them.
deb-again: deb deb-elsewhere deb-compare

deb-elsewhere:
	@Packaging/copy $(ELSEWHERE)
	@LINTIAN=no $(MAKE) --no-print-directory -C $(ELSEWHERE) deb

deb-compare:
	@Packaging/compare-packages $(DIST) $(ELSEWHERE)/$(DIST)

# Packages of an earlier version, as the origin of upgrades in tests. The directory is that of deb-again, because the Swift packages
# compiled there are the same.
$(PREVIOUS_PACKAGES):
	@Packaging/copy $(ELSEWHERE) $(PREVIOUS)
	@$(MAKE) --no-print-directory -C $(ELSEWHERE) LINTIAN=no deb DEB_VERSION="$(VERSION)~$(PREVIOUS)-1"
	@mkdir -p $@
	@cp $(ELSEWHERE)/$(DIST)/*.deb $@

test-deb: deb $(PREVIOUS_PACKAGES)
	@Tests/Packages/run $(DIST) $(PREVIOUS_PACKAGES)

# A signed apt repository of the packages: make repository KEY=FINGERPRINT URL=https://HOST/PATH.
repository: deb
	@Packaging/repository $(DIST) "$(REPOSITORY)" "$(KEY)" "$(URL)"

install-service:
	install -D -m 0644 udev/70-stressmon.rules "$(DESTDIR)$(UDEV_DIR)/70-stressmon.rules"
	install -d "$(DESTDIR)$(SYSTEMD_USER_DIR)"
	install -m 0644 Packaging/systemd/stressmon-digest.timer "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-digest.timer"
	@for unit in stressmon.service stressmon-digest.service stressmon-serve.service stressmon-publish.service \
	    stressmon-sync.service stressmon-collect.service; do \
	  sed 's|@BINDIR@|$(PREFIX)/bin|' Packaging/systemd/$$unit.in > "$(DESTDIR)$(SYSTEMD_USER_DIR)/$$unit" && \
	  chmod 0644 "$(DESTDIR)$(SYSTEMD_USER_DIR)/$$unit" || exit 1; \
	done

install-docs:
	@for file in $(SCHEMAS); do install -D -m 0644 docs/reference/schema/$$file "$(SCHEMA_DIR)/$$file" || exit 1; done
	@for page in $(DOCS); do install -D -m 0644 docs/$$page "$(DESTDIR)$(DOC_DIR)/$$page" || exit 1; done

install-examples:
	@for file in $(EXAMPLES); do \
	  if [ -x Packaging/$$file ]; then mode=0755; else mode=0644; fi && \
	  install -D -m $$mode Packaging/$$file "$(DESTDIR)$(EXAMPLES_DIR)/$$file" || exit 1; \
	done
	@for file in $(PROGRAM_EXAMPLES); do \
	  if [ -x Examples/$$file ]; then mode=0755; else mode=0644; fi && \
	  install -D -m $$mode Examples/$$file "$(DESTDIR)$(EXAMPLES_DIR)/$$file" || exit 1; \
	done

install-desktop:
	@for file in $(DESKTOP_FILES); do \
	  install -D -m 0644 "Packaging/desktop/$${file##*/}" "$(SHARE_DIR)/$$file" || exit 1; \
	done
	@for file in $(DESKTOP_EXAMPLES); do \
	  install -D -m 0755 "Examples/desktop/$$file" "$(DESTDIR)$(DOC_DIR)/examples/desktop/$$file" || exit 1; \
	done

uninstall:
	rm -f $(foreach file,$(DESKTOP_FILES),"$(SHARE_DIR)/$(file)")
	rm -f $(foreach file,$(DESKTOP_EXAMPLES),"$(DESTDIR)$(DOC_DIR)/examples/desktop/$(file)")
	@for folder in /examples/desktop /examples; do \
	  [ ! -d "$(DESTDIR)$(DOC_DIR)$$folder" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(DOC_DIR)$$folder"; \
	done
	rm -f "$(DESTDIR)$(DOC_DIR)/NOTICE" "$(DESTDIR)$(NET_DOC_DIR)/NOTICE"
	rm -f $(foreach page,$(DOCS),"$(DESTDIR)$(DOC_DIR)/$(page)")
	@for folder in /guide /reference /design ""; do \
	  [ ! -d "$(DESTDIR)$(DOC_DIR)$$folder" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(DOC_DIR)$$folder"; \
	done
	rm -f $(foreach file,$(EXAMPLES) $(PROGRAM_EXAMPLES),"$(DESTDIR)$(EXAMPLES_DIR)/$(file)")
	rm -f $(foreach file,$(SCHEMAS),"$(SCHEMA_DIR)/$(file)")
	@for folder in "$(SCHEMA_DIR)" "$(SHARE_DIR)/stressmon" "$(DESTDIR)$(EXAMPLES_DIR)/grafana" \
	    "$(DESTDIR)$(EXAMPLES_DIR)/prometheus" "$(DESTDIR)$(EXAMPLES_DIR)/programs" "$(DESTDIR)$(EXAMPLES_DIR)/sources" "$(DESTDIR)$(EXAMPLES_DIR)/fleet" "$(DESTDIR)$(EXAMPLES_DIR)/nginx" "$(DESTDIR)$(EXAMPLES_DIR)" \
	    "$(dir $(DESTDIR)$(EXAMPLES_DIR))"; do \
	  [ ! -d "$$folder" ] || rmdir --ignore-fail-on-non-empty "$$folder"; \
	done
	rm -f "$(DESTDIR)$(UDEV_DIR)/70-stressmon.rules" "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon.service" \
	  "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-digest.service" "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-digest.timer" \
	  "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-serve.service" "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-publish.service" \
	  "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-sync.service" "$(DESTDIR)$(SYSTEMD_USER_DIR)/stressmon-collect.service"
	rm -rf "$(FONT_DIR)" && rmdir --ignore-fail-on-non-empty "$(dir $(FONT_DIR))" 2>/dev/null || true
	rm -f "$(LIBEXEC_DIR)/stressmon-net" && rmdir --ignore-fail-on-non-empty "$(LIBEXEC_DIR)" 2>/dev/null || true
	rm -f "$(BIN_DIR)/stressmon" "$(MAN_DIR)/stressmon.1" "$(MAN_DIR)"/stressmon-*.1 "$(BASH_DIR)/stressmon" \
	  "$(DESTDIR)$(ZSH_DIR)/_stressmon" "$(FISH_DIR)/stressmon.fish" \
	  $(foreach language,$(LANGUAGES),"$(LOCALE_DIR)/$(language)/LC_MESSAGES/stressmon.mo")

clean:
	rm -rf .build Benchmarks/.cache
