# make demo    install what is missing, build, run the simulated strap into a real database
# make test    install what is missing, run every test but the slow ones on a real BlueZ
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
SWIFT_BUILD_FLAGS ?=

# One binary that needs no Swift on the machine where it runs.
RELEASE_FLAGS = -c release --static-swift-stdlib -Xlinker -s
BINARY = .build/release/stressmon

# What Debian and its kin call the C libraries, and the bus daemon of the tests.
APT_PACKAGES = pkg-config libdbus-1-dev libbluetooth-dev libsqlite3-dev dbus

.PHONY: all deps build demo test lint format bench coverage man completions install uninstall clean

all: build

deps:
	@missing=""; for p in $(APT_PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	  echo "installing:$$missing" >&2; \
	  if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	  $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq $$missing >/dev/null; \
	fi

build: deps
	$(SWIFT) build $(RELEASE_FLAGS) $(SWIFT_BUILD_FLAGS) --product stressmon

demo: build
	@Benchmarks/../docs/demo.sh $(BINARY)

test: deps
	$(SWIFT) test $(SWIFT_BUILD_FLAGS)

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

format:
	$(SWIFT) format format --in-place --parallel --recursive Package.swift Sources Tests

bench: build
	Benchmarks/run

coverage: deps
	$(SWIFT) test --enable-code-coverage $(SWIFT_BUILD_FLAGS)
	Tests/coverage.sh

man: deps
	mkdir -p .build/man
	$(SWIFT) package --allow-writing-to-directory .build/man generate-manual --output-directory .build/man

completions: build
	mkdir -p .build/completions
	$(BINARY) --generate-completion-script bash > .build/completions/stressmon.bash
	$(BINARY) --generate-completion-script zsh > .build/completions/_stressmon
	$(BINARY) --generate-completion-script fish > .build/completions/stressmon.fish

install: build man completions
	install -D -m 0755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/stressmon
	install -D -m 0644 .build/man/stressmon.1 $(DESTDIR)$(PREFIX)/share/man/man1/stressmon.1
	install -D -m 0644 .build/completions/stressmon.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/stressmon
	install -D -m 0644 .build/completions/_stressmon $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_stressmon
	install -D -m 0644 .build/completions/stressmon.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/stressmon.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/stressmon $(DESTDIR)$(PREFIX)/share/man/man1/stressmon.1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/stressmon \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_stressmon \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/stressmon.fish

clean:
	$(SWIFT) package clean
