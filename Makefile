# SPDX-License-Identifier: MIT
#
# A short front of Meson. `make` builds in build/, other kinds of build go beside it
# (build-asan, build-tsan, build-clang, build-fuzz). Only `demo` and `check` install what
# is missing, through ./bootstrap; BOOTSTRAP=no forbids it.
#
#   make BUILD=dir           build elsewhere
#   make PREFIX=/usr install DESTDIR=stage
#   make fuzz FUZZ_SECONDS=60

BUILD = build
PREFIX = /usr/local
export BUILD

.PHONY: all demo check check-long check-fresh check-deb asan tsan fuzz bench llama-server install man \
	dist deb format format-check clean

all:
	@tools/build plain

demo:
	@./bootstrap core
	@tools/build plain
	@$(BUILD)/evenhand demo

# CHECK_MORE=ci adds a second compiler, clang-tidy and the thread sanitizer, long also
# valgrind, cppcheck and a minute of each fuzzer.
check:
	@./bootstrap check
	@tools/check $(CHECK_MORE)

check-long:
	@$(MAKE) --no-print-directory check CHECK_MORE=long

check-fresh:
	@tools/check-fresh

check-deb:
	@tools/check-deb

asan tsan:
	@tools/check $@

fuzz:
	@tools/build fuzz
	@tools/fuzz

bench: all
	@meson test -C $(BUILD) --benchmark --verbose

# A real server for tests/real; five minutes, and nothing else needs it.
llama-server:
	@tools/fetch-llama-server

install: all
	@meson configure $(BUILD) --prefix=$(PREFIX)
	@meson install -C $(BUILD)

man: all
	@meson compile -C $(BUILD) man

# The source as an archive in build-dist, and Debian packages in build-deb.
dist:
	@tools/dist

deb:
	@./bootstrap package
	@tools/deb

format:
	@tools/format

format-check:
	@tools/format --check

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-clang $(BUILD)-fuzz
	rm -rf build-deb build-dist
