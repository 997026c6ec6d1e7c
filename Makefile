# SPDX-License-Identifier: Apache-2.0
# Build of ojx: the tool (cmd/, lib/), the agent (agent/), the tests. See README.md.

VERSION := 0.1.0
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O2 -g
WARN    := -std=gnu11 -Wall -Wextra -Wshadow -Werror
BUILD   ?= build

all:
