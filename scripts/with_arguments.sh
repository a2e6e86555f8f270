# The rest of a script beside which a .py file of its name does the work; `arguments` is the module that
# reads its command line, and needs no environment for --help.
set -eu

cd -- "$(dirname -- "$0")/.."
case " $* " in
*" -h "* | *" --help "*) exec env PYTHONPATH=scripts python3 -B -m "$arguments" "$@" ;;
esac
scripts/environment dev
exec .venv/bin/python scripts/starter.py "$(basename -- "$0")" "$@"
