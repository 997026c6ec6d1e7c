# SPDX-License-Identifier: Apache-2.0
# Completion of ojx for bash. Commands and options are those that `ojx help` and `ojx COMMAND --help=all`
# print, so that they cannot differ from what the installed ojx takes.

_ojx_commands()
{
	"$1" help 2>/dev/null | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p'
}

# "--sort KEY", "--all" for each option; "-s KEY" for each short one.
_ojx_options()
{
	"$1" "$2" --help=all 2>/dev/null |
		sed -nE 's/^  (-[a-zA-Z], |    )(--[a-z-]+)( [A-Z]+)?( .*)?$/\1\2\3/p' |
		sed -E 's/^ +//; s/^(-[a-zA-Z]), (--[a-z-]+)( [A-Z]+)?$/\1\3\n\2\3/'
}

# The words "- name: ..." below an option.
_ojx_words()
{
	"$1" "$2" --help=all 2>/dev/null | awk -v option="$3" '
		/^  (-[a-zA-Z],|   ) --/ { inside = index($0 " ", option " ") > 0 }
		inside && match($0, /^ +- [a-z0-9._\/-]+:/) {
			word = substr($0, RSTART, RLENGTH)
			gsub(/[ :]|^ +- /, "", word)
			sub(/^-/, "", word)
			print word
		}'
}

# The source files that ./ojx.data knows of, by their bare names.
_ojx_files()
{
	"$1" annotate --format=json 2>/dev/null | sed -nE 's/.*"path":"([^"]*\/)?([^"/]*)".*/\2/p'
}

# The process ids of the JVMs that run.
_ojx_jvms()
{
	"$1" list jvms --format=json 2>/dev/null | sed -nE 's/^\{"pid":([0-9]+),.*/\1/p'
}

# What an option's argument may be, by the option and by the name --help gives it.
_ojx_argument()
{
	local ojx=$1 command=$2 option=$3 argument=$4 cur=$5 words

	case $option in
	--group-by) COMPREPLY=($(compgen -W "line context site class" -- "$cur")) ;;
	--color | --hyperlink) COMPREPLY=($(compgen -W "auto always never" -- "$cur")) ;;
	--phase) COMPREPLY=($(compgen -W "going-on all" -- "$cur")) ;;
	--command-line) COMPREPLY=($(compgen -W "short full" -- "$cur")) ;;
	--fail-if)
		words="avoidable certain total.avoidable total.certain"
		[ "$command" = heap ] && words= || command=report
		words+=" $(_ojx_words "$ojx" "$command" --sort)"
		COMPREPLY=($(compgen -W "$words" -S '>' -- "$cur"))
		compopt -o nospace 2>/dev/null
		;;
	*)
		COMPREPLY=($(compgen -W "$(_ojx_words "$ojx" "$command" "$option")" -- "$cur"))
		[ ${#COMPREPLY[@]} -gt 0 ] && return
		case $argument in
		PID) COMPREPLY=($(compgen -W "$(_ojx_jvms "$ojx")" -- "$cur")) ;;
		FORMAT)
			words="text json"
			case $command in
			diff) words+=" html markdown github junit" ;;
			heap) words+=" html csv markdown" ;;
			esac
			COMPREPLY=($(compgen -W "$words" -- "$cur"))
			;;
		FILE | DIR | PATH) COMPREPLY=($(compgen -f -- "$cur")) ;;
		esac
		;;
	esac
}

# The command line behind the options of `record` is a command of its own.
_ojx_command_at()
{
	local i=2 options=$1 word
	while [ $i -lt "$COMP_CWORD" ]; do
		word=${COMP_WORDS[i]}
		case $word in
		--) echo $((i + 1)) && return ;;
		=) i=$((i + 1)) ;;
		-*)
			if grep -qE -e "^$word [A-Z]+$" <<<"$options" &&
				[ "${COMP_WORDS[i + 1]:-}" != = ]; then
				i=$((i + 1))
			fi
			;;
		*) echo $i && return ;;
		esac
		i=$((i + 1))
	done
	echo 0
}

_ojx()
{
	local ojx=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]:-} options first argument
	COMPREPLY=()

	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$(_ojx_commands "$ojx")" -- "$cur"))
		return
	fi
	if [ "$command" = help ]; then
		COMPREPLY=($(compgen -W "$(_ojx_commands "$ojx")" -- "$cur"))
		return
	fi
	options=$(_ojx_options "$ojx" "$command")
	if [ "$command" = record ] || [ "$command" = top ]; then
		first=$(_ojx_command_at "$options")
		if [ "$first" -gt 0 ]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset "$first"
			elif [ "$COMP_CWORD" -eq "$first" ]; then
				COMPREPLY=($(compgen -c -- "$cur"))
			else
				COMPREPLY=($(compgen -f -- "$cur"))
			fi
			return
		fi
	fi
	if [ "$prev" = = ]; then # --sort=KEY: '=' is a word of its own
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	elif [ "$cur" = = ]; then
		cur=
	fi
	argument=$(sed -nE "s/^$prev ([A-Z]+)$/\1/p" <<<"$options" | head -n 1)
	case $prev in
	-*)
		if [ -n "$argument" ]; then
			case $prev in
			-?) # the long name of a short option stands behind it
				prev=$(grep -A1 -xE -e "$prev $argument" <<<"$options" | sed -n '2s/ .*//p')
				;;
			esac
			_ojx_argument "$ojx" "$command" "$prev" "$argument" "$cur"
			return
		fi
		;;
	esac
	case $cur in
	-*) COMPREPLY=($(compgen -W "$(sed 's/ .*//' <<<"$options")" -- "$cur")) ;;
	*)
		case $command in
		list) COMPREPLY=($(compgen -W "jvms" -- "$cur")) ;;
		diff | dump | heap | merge | push | report) COMPREPLY=($(compgen -f -- "$cur")) ;;
		annotate) COMPREPLY=($(compgen -W "$(_ojx_files "$ojx")" -- "$cur")) ;;
		record | top) COMPREPLY=($(compgen -c -- "$cur")) ;;
		esac
		;;
	esac
}

complete -o filenames -o bashdefault -F _ojx ojx
