# SPDX-License-Identifier: Apache-2.0
# A real terminal for tests of screens, sourced after test/lib.sh: a tmux of the test's own. Without
# tmux the test is skipped.

if ! command -v tmux >/dev/null; then
	skip "$(basename "$0")" "no tmux"
	done_testing
fi
trap 'tmux -S "$TMP/tmux" kill-server 2>/dev/null; rm -rf "$TMP"' EXIT

# Everything that a program writes in a test can be read at its end.
# What a program copies is in a buffer.
printf 'set -g history-limit 100000\nset -s set-clipboard on\n' >"$TMP/tmux.conf"

tm()
{
	tmux -u -S "$TMP/tmux" -f "$TMP/tmux.conf" "$@"
}

# begin WIDTH HEIGHT COMMAND: runs a shell command; when it has ended, "STATUS n" is on the screen, and the
# terminal's modes are in $TMP/modes; those before are in $TMP/modes-before
begin()
{
	tm kill-server 2>/dev/null
	rm -f "$TMP/modes"
	# the previous one may still be ending
	wait_for 60 tm new-session -d -s s -x "$1" -y "$2" \
		"trap : INT; cd '$TMP'; stty -g >modes-before; $3; echo STATUS \$?; stty -g >modes; sleep 1000"
}

# The process that `begin` has started.
process()
{
	pgrep -P "$(tm display-message -p -t s '#{pane_pid}')" -x "${1:-ojx}" | head -n 1
}

# narrow TITLE WIDTH: no line of the screen is wider
narrow()
{
	screen
	is "$1" "$(($(wc -L <"$TMP/screen") <= $2))" 1
}

keys()
{
	tm send-keys -t s "$@"
	sleep 0.3
}

screen()
{
	tm capture-pane -p -t s >"$TMP/screen"
}

on_screen()
{
	screen && grep -qE -e "$1" "$TMP/screen"
}

# shows TITLE REGEX: soon a line of the screen matches.
shows()
{
	if wait_for 90 on_screen "$2"; then
		pass "$1"
	else
		fail "$1: no line like '$2'" "$TMP/screen"
	fi
}

# The screen may be read while it is being drawn: if a line is there, those below it may not be. So
# each expected line is waited for by itself.

on_line()
{
	screen && sed -n "$1p" "$TMP/screen" | grep -qE -e "$2"
}

# shows_at TITLE N REGEX: soon line N of the screen matches.
shows_at()
{
	if wait_for 90 on_line "$2" "$3"; then
		pass "$1"
	else
		fail "$1: line $2 is not like '$3'" "$TMP/screen"
	fi
}

in_colour()
{
	tm capture-pane -e -p -t s >"$TMP/screen" && grep -qE -e "$1" "$TMP/screen"
}

# shows_ink TITLE REGEX: the same with the escape sequences of colours; they stay in $TMP/screen
shows_ink()
{
	if wait_for 90 in_colour "$2"; then
		pass "$1"
	else
		fail "$1: no line like '$2'" "$TMP/screen"
	fi
}

# ended TITLE STATUS: the command has ended, and the terminal is as it was.
ended()
{
	shows "$1: exit status $2" "^STATUS $2\$"
	wait_for 60 test -s "$TMP/modes"
	check "$1: the terminal is as it was" cmp "$TMP/modes" "$TMP/modes-before"
	is "$1: its cursor is seen, and its other screen left" \
		"$(tm display-message -p -t s '#{cursor_flag} #{alternate_on}')" "1 0"
}
