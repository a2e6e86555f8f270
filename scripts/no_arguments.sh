# The beginning of a script that takes no arguments: --help says its second line, anything else is a mistake.
set -eu

case ${1-} in
"") ;;
-h | --help) sed -n '2s/^# //p' "$0" && exit ;;
*) echo "scripts/$(basename -- "$0") takes no arguments; --help says what it does" >&2 && exit 2 ;;
esac

cd -- "$(dirname -- "$0")/.."
scripts/environment dev
